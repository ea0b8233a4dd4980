// What went wrong since the program was started, by kind.
#pragma once

enum error { BAD_REQUEST, LOST_ANSWER, FAILED_READ, FAILED_ACCEPT, KINDS_OF_ERROR };

void errors_count(enum error kind);
void errors_print(void);
