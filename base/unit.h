/* What a number measures: decides how it prints (1.25ms, 16KiB) and the suffix of its JSON name (_ns, _bytes). */
#ifndef QT_BASE_UNIT_H
#define QT_BASE_UNIT_H

enum qt_unit { QT_UNIT_NONE, QT_UNIT_NS, QT_UNIT_BYTES };

#endif
