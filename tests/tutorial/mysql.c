/* Calls mysql_real_query 17 times on a handle that is not connected. */
#include <mysql.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	MYSQL *m = mysql_init(NULL);
	char text[64];
	int failed = 0;

	for (int i = 0; i < 17; i++) {
		snprintf(text, sizeof(text), "SELECT %d", i);
		failed += mysql_real_query(m, text, strlen(text)) != 0;
	}
	mysql_close(m);
	printf("queries=17 failed=%d\n", failed);
	return 0;
}
