/* Whose memory an address points into. */
#ifndef QT_BASE_SPACE_H
#define QT_BASE_SPACE_H

enum qt_space { QT_SPACE_USER, QT_SPACE_KERNEL };

#endif
