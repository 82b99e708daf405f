/* What a program asks of the machine when it is loaded: a word each in the config area. */
#ifndef QT_BASE_ASK_H
#define QT_BASE_ASK_H

enum qt_ask {
	QT_ASK_kernel_symbol, /* the address of the symbol with this name */
	QT_ASK_cgroup, /* the id of the cgroup whose folder is at this path */
	QT_ASK_cpus, /* how many CPUs there may be */
	QT_ASK_command, /* the process of -c; 0 without one */
	QT_ASK_COUNT
};
#define QT_ASKS_MAX 16 /* of one program */

#endif
