package dev.headgate.spi;

/**
 * That a request with an idempotency key was done, and what it was answered.
 *
 * @param token the id of the token that sent it; the same key of another token is another key
 * @param request SHA-256 of what was asked, in hexadecimal
 * @param status the HTTP status of the answer
 * @param answer the body of the answer
 */
public record RequestKeyRow(String token, String key, String request, int status, String answer, long createdAt) {}
