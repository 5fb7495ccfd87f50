// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// libcurl's easy interface: a thread and a handle for each request in flight, the connection kept in the handle. Over
// HTTP/2, where many requests share a connection, its multi interface: one thread, all handles. Has the
// arguments and the JSON output of Harness.swift.

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct worker {
    pthread_t thread;
    CURL *handle;
    long share;
    char *body;
    size_t length, capacity;
};

static size_t expected;
static CURLM *multi;  // Drives the handles if it is not NULL.

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *reason) {
    fprintf(stderr, "bench-libcurl: %s\n", reason);
    exit(1);
}

// Collects a body of unknown length into a growing buffer.
static size_t collect(char *bytes, size_t size, size_t count, void *context) {
    struct worker *worker = context;
    size_t length = size * count;
    if (worker->length + length > worker->capacity) {
        worker->capacity = worker->length + length;
        char *grown = realloc(worker->body, worker->capacity);
        if (!grown) return 0;
        worker->body = grown;
    }
    memcpy(worker->body + worker->length, bytes, length);
    worker->length += length;
    return length;
}

static size_t get(struct worker *worker) {
    worker->length = worker->capacity = 0;
    worker->body = NULL;
    CURLcode code = curl_easy_perform(worker->handle);
    if (code != CURLE_OK) fail(curl_easy_strerror(code));
    free(worker->body);
    return worker->length;
}

static void *work(void *context) {
    struct worker *worker = context;
    for (long done = 0; done < worker->share; done += 1)
        if (get(worker) != expected) fail("a body of another length");
    return NULL;
}

// Starts a request on a handle that the multi interface drives.
static void start(struct worker *worker) {
    worker->length = worker->capacity = 0;
    worker->body = NULL;
    if (curl_multi_add_handle(multi, worker->handle)) fail("no place");
}

// Handles a completed request.
static void end(CURLMsg *message) {
    struct worker *worker;
    if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &worker);
    if (worker->length != expected) fail("a body of another length");
    free(worker->body);
    curl_multi_remove_handle(multi, worker->handle);
    if (--worker->share > 0) start(worker);
}

static void together(struct worker *workers, long inFlight) {
    for (long index = 0; index < inFlight; index += 1)
        if (workers[index].share) start(&workers[index]);
    int running = 1;
    while (running) {
        CURLMsg *message;
        int left, ended = 0;
        if (curl_multi_perform(multi, &running)) fail("the handles cannot be driven");
        while ((message = curl_multi_info_read(multi, &left)))
            if (message->msg == CURLMSG_DONE) end(message), ended = 1;
        if (ended) running = 1;
        else if (running) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

static void repeatedly(long requests, struct worker *workers, long inFlight) {
    for (long index = 0; index < inFlight; index += 1) {
        workers[index].share = requests / inFlight + (index < requests % inFlight ? 1 : 0);
        if (!multi && pthread_create(&workers[index].thread, NULL, work, &workers[index])) fail("no thread");
    }
    if (multi) return together(workers, inFlight);
    for (long index = 0; index < inFlight; index += 1) pthread_join(workers[index].thread, NULL);
}

int main(int count, char **arguments) {
    long requests = 1000, inFlight = 1, warmup = 100;
    long version = CURL_HTTP_VERSION_NONE;
    const char *url = NULL, *root = NULL;
    for (int index = 1; index < count; index += 1) {
        const char *argument = arguments[index];
        long *option = !strcmp(argument, "--requests") ? &requests
            : !strcmp(argument, "--inflight") ? &inFlight
            : !strcmp(argument, "--warmup") ? &warmup
            : NULL;
        if (!strcmp(argument, "--http1")) version = CURL_HTTP_VERSION_1_1;
        else if (!strcmp(argument, "--http2")) version = CURL_HTTP_VERSION_2TLS;
        else if (!strcmp(argument, "--root") && index + 1 < count) root = arguments[++index];
        else if (!option) url = argument;
        else if (index + 1 == count || (*option = atol(arguments[++index])) <= 0) url = NULL, index = count;
    }
    if (!url) {
        puts("usage: bench-CLIENT URL [--requests N] [--inflight K] [--warmup W] [--http1 | --http2] [--root FILE]");
        return 64;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct worker *workers = calloc((size_t)inFlight, sizeof *workers);
    if (!workers) fail("no memory");
    for (long index = 0; index < inFlight; index += 1) {
        CURL *handle = curl_easy_init();
        if (!handle) fail("no handle");
        curl_easy_setopt(handle, CURLOPT_URL, url);
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, collect);
        curl_easy_setopt(handle, CURLOPT_WRITEDATA, &workers[index]);
        curl_easy_setopt(handle, CURLOPT_PRIVATE, &workers[index]);
        curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, version);
        curl_easy_setopt(handle, CURLOPT_PIPEWAIT, 1L);
        if (root) curl_easy_setopt(handle, CURLOPT_CAINFO, root);
        curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(handle, CURLOPT_TIMEOUT, 30L);
        workers[index].handle = handle;
    }
    expected = get(&workers[0]);
    if (version == CURL_HTTP_VERSION_2TLS) {
        long spoken = 0;
        curl_easy_getinfo(workers[0].handle, CURLINFO_HTTP_VERSION, &spoken);
        if (spoken != CURL_HTTP_VERSION_2_0) fail("the server speaks no HTTP/2");
        multi = curl_multi_init();
    }
    repeatedly(warmup > inFlight ? warmup : inFlight, workers, inFlight);
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    repeatedly(requests, workers, inFlight);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("{\"client\": \"libcurl\", \"requests\": %ld, \"inFlight\": %ld, \"bytes\": %zu, \"wall\": %f, \"cpu\": %f}\n",
           requests, inFlight, expected, wall, cpu);
    for (long index = 0; index < inFlight; index += 1) curl_easy_cleanup(workers[index].handle);
    if (multi) curl_multi_cleanup(multi);
    free(workers);
    curl_global_cleanup();
    return 0;
}
