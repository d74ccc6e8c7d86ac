package dev.shardkit.transport;

/**
 * The head of an HTTP response.
 *
 * @param status the HTTP status code
 * @param headers the header fields
 */
public record Head(int status, Headers headers) {}
