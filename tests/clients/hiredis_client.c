// A program as C programmers write it against hiredis (RESP2): hiredis_client PORT, or hiredis_client
// SOCKET-PATH. Runs its checks one after the other over one connection to a server with an empty, paused
// world. Exit code 0 when all held; else the first that did not is on standard error.

#include <hiredis/hiredis.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kPipelined = 10000, kLargeBytes = 1 << 20, kListed = 5000 };

static void expect(int held, const char* what, const redisContext* context) {
    if (held) return;
    fprintf(stderr, "hiredis_client: %s (connection: %s)\n", what,
            context->err != 0 ? context->errstr : "no error");
    exit(1);
}

// Returns the reply, which the caller frees.
static redisReply* command(redisContext* context, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    redisReply* reply = redisvCommand(context, format, arguments);
    va_end(arguments);
    expect(reply != NULL, format, context);
    return reply;
}

static int is_text(const redisReply* reply, int type, const char* text) {
    return reply->type == type && strcmp(reply->str, text) == 0;
}

static int is_integer(const redisReply* reply, long long integer) {
    return reply->type == REDIS_REPLY_INTEGER && reply->integer == integer;
}

static int is_error(const redisReply* reply, const char* start) {
    return reply->type == REDIS_REPLY_ERROR && strncmp(reply->str, start, strlen(start)) == 0;
}

static void ping_answers_pong(redisContext* context) {
    redisReply* reply = command(context, "PING");
    expect(is_text(reply, REDIS_REPLY_STATUS, "PONG"), "PING answers +PONG", context);
    freeReplyObject(reply);
}

static void fields_are_set_and_read_by_argv(redisContext* context) {
    redisReply* id = command(context, "SPAWN position=1,2,3");
    expect(is_text(id, REDIS_REPLY_STRING, "0:0"), "the first SPAWN of an empty world answers 0:0", context);

    const char* set[] = {"HSET", id->str, "position.x", "-1.5", "health.current", "40"};
    redisReply* added = redisCommandArgv(context, 6, set, NULL);
    expect(added != NULL && is_integer(added, 1), "HSET answers that health.current was not there", context);

    const char* get[] = {"HGETALL", id->str};
    const char* expected[] = {"position.x", "-1.5",           "position.y", "2",          "position.z",
                              "3",          "health.current", "40",         "health.max", "100"};
    const size_t count = sizeof expected / sizeof expected[0];
    redisReply* fields = redisCommandArgv(context, 2, get, NULL);
    expect(fields != NULL && fields->type == REDIS_REPLY_ARRAY && fields->elements == count,
           "HGETALL answers an array of 5 names and 5 values", context);
    for (size_t i = 0; i < count; ++i)
        expect(is_text(fields->element[i], REDIS_REPLY_STRING, expected[i]), expected[i], context);
    freeReplyObject(fields);
    freeReplyObject(added);
    freeReplyObject(id);
}

static void what_is_missing_is_nil(redisContext* context) {
    redisReply* reply = command(context, "HGET %s %s", "0:0", "velocity.x");
    expect(reply->type == REDIS_REPLY_NIL, "HGET of a component that is missing is nil", context);
    freeReplyObject(reply);
}

static void a_pipeline_is_answered_in_order(redisContext* context) {
    for (int i = 0; i < kPipelined; ++i) redisAppendCommand(context, "ECHO %d", i);
    for (int i = 0; i < kPipelined; ++i) {
        char expected[16];
        snprintf(expected, sizeof expected, "%d", i);
        redisReply* reply = NULL;
        expect(redisGetReply(context, (void**)&reply) == REDIS_OK, "a pipelined reply comes", context);
        expect(is_text(reply, REDIS_REPLY_STRING, expected), "pipelined replies come in order", context);
        freeReplyObject(reply);
    }
}

static void any_byte_comes_back(redisContext* context) {
    char bytes[512];
    for (int i = 0; i < (int)sizeof bytes; ++i) bytes[i] = (char)i;
    redisReply* reply = command(context, "ECHO %b", bytes, sizeof bytes);
    expect(reply->type == REDIS_REPLY_STRING && reply->len == sizeof bytes, "ECHO answers as many bytes",
           context);
    expect(memcmp(reply->str, bytes, sizeof bytes) == 0, "ECHO answers the same bytes", context);
    freeReplyObject(reply);
}

static void an_error_leaves_the_connection_usable(redisContext* context) {
    redisReply* reply = command(context, "HSET 0:0 position.w 1");
    expect(is_error(reply, "BADARG "), "a field that is not there is BADARG", context);
    expect(strstr(reply->str, "position has no field 'w'") != NULL, "the error names the field", context);
    freeReplyObject(reply);
    ping_answers_pong(context);
}

static void a_transaction_answers_every_command(redisContext* context) {
    freeReplyObject(command(context, "MULTI"));
    redisReply* queued = command(context, "HSET 0:0 position.x 7");
    expect(is_text(queued, REDIS_REPLY_STATUS, "QUEUED"), "a command after MULTI is QUEUED", context);
    freeReplyObject(queued);
    freeReplyObject(command(context, "HGET 0:0 position.x"));
    freeReplyObject(command(context, "HSET 9:0 position.x 7"));
    redisReply* reply = command(context, "EXEC");
    expect(reply->type == REDIS_REPLY_ARRAY && reply->elements == 3, "EXEC answers as many replies", context);
    expect(is_integer(reply->element[0], 0), "HSET of what was there answers 0", context);
    expect(is_text(reply->element[1], REDIS_REPLY_STRING, "7"), "HGET sees what HSET wrote", context);
    expect(is_error(reply->element[2], "NOENT "), "an error within EXEC is one of its replies", context);
    freeReplyObject(reply);
}

static void large_replies_come_whole(redisContext* context) {
    char* bytes = malloc(kLargeBytes);
    memset(bytes, 'x', kLargeBytes);
    redisReply* echo = command(context, "ECHO %b", bytes, (size_t)kLargeBytes);
    expect(echo->type == REDIS_REPLY_STRING && echo->len == kLargeBytes, "ECHO answers a mebibyte", context);
    expect(memcmp(echo->str, bytes, kLargeBytes) == 0, "ECHO answers the same mebibyte", context);
    freeReplyObject(echo);
    free(bytes);

    redisReply* ids = command(context, "SPAWN COUNT %d position", kListed);
    expect(ids->type == REDIS_REPLY_ARRAY && ids->elements == kListed, "SPAWN COUNT answers every id",
           context);
    expect(is_text(ids->element[kListed - 1], REDIS_REPLY_STRING, "5000:0"), "the last id is 5000:0",
           context);
    freeReplyObject(ids);
}

int main(int count, char** words) {
    if (count != 2) {
        fputs("usage: hiredis_client PORT or hiredis_client SOCKET-PATH\n", stderr);
        return 2;
    }
    redisContext* context =
        words[1][0] == '/' ? redisConnectUnix(words[1]) : redisConnect("127.0.0.1", atoi(words[1]));
    expect(context != NULL && context->err == 0, "it connects", context);
    freeReplyObject(command(context, "TICK PAUSE"));
    ping_answers_pong(context);
    fields_are_set_and_read_by_argv(context);
    what_is_missing_is_nil(context);
    a_pipeline_is_answered_in_order(context);
    any_byte_comes_back(context);
    an_error_leaves_the_connection_usable(context);
    a_transaction_answers_every_command(context);
    large_replies_come_whole(context);
    redisFree(context);
    return 0;
}
