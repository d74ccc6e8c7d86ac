/**
 * Sends HTTP requests with the asynchronous core of Apache HttpClient 5. The service loader finds it.
 *
 * <p>Two I/O threads send requests and hand the bytes of bodies to stores in place. Calls that may wait (credentials,
 * name look-ups, the end of an exchange) run on threads of their own, so nothing that a caller blocks stops an
 * exchange. One end of an exchange cannot wait: that of a read for a blocking call without a listener, without an
 * executor of the caller and without shared reads. There the I/O thread only queues the answer and wakes the caller,
 * which decodes and resumes the plan on its own thread; this saves a thread switch for each request. If an I/O thread
 * ends by an error, its exchanges fail and the next one gets a new client.
 *
 * <p>Why the core and not all of HttpClient 5: the CPU time is the same, the core has no further dependency (HttpClient
 * 5 brings SLF4J 1.7, which prints a warning in programs without a logger), and its HTTP/2 connections can be shared by
 * many exchanges.
 */
@NullMarked
package dev.shardkit.transport.apache;

import org.jspecify.annotations.NullMarked;
