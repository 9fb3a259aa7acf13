package dev.headgate.server.http;

import java.util.Locale;
import java.util.Optional;

/**
 * Everything that can be wrong with a request, as RFC 9457 has it. The name in small letters with hyphens is the last part of the
 * problem's {@code type}, behind which stands a page that explains it.
 */
public enum Problem {
    BAD_REQUEST(
            400,
            "The request is not HTTP as this server reads it",
            "Send a request line, headers and a body as RFC 9110 and 9112 say."),
    BAD_JSON(
            400,
            "The body is not the JSON that was expected",
            "Send one JSON document in UTF-8: no trailing text, no field twice, at most 200 levels deep."),
    BAD_FIELD(
            400,
            "A field has a wrong name or value",
            "The detail names the field and what it expects; /openapi.yaml lists all fields. Nothing was written."),
    BAD_QUERY(
            400,
            "A parameter of the query has a wrong name or value",
            "The detail names the parameter and what it expects; each parameter may be there once."),
    BAD_HEADER(
            400,
            "A header has a wrong value, or this path does not take it",
            "The detail names the header and what it expects."),
    BAD_CURSOR(
            400,
            "The cursor does not belong to this list",
            "Repeat the request with the filter of the page that the cursor came with, or begin again without a cursor."),
    NO_TOKEN(
            401,
            "The request has no token",
            "Send the header 'Authorization: Bearer hg_…'; 'headgate token create' makes a token."),
    BAD_TOKEN(
            401,
            "The token gives no access",
            "It was mistyped, has expired or was revoked; 'headgate token list' shows those that exist."),
    MISSING_RIGHT(403, "The token lacks a right", "Use a token with the right that the detail names."),
    OUTSIDE_SCOPE(
            403,
            "The token may not touch this",
            "A token with queues or types touches only jobs of these, and nothing that jobs of others share."),
    CROSS_SITE(
            403,
            "A page of another site may not change anything here",
            "Send the request from a program, or from a page of this server."),
    NO_SUCH_ROUTE(404, "There is nothing at this path", "See /openapi.yaml for all paths; version 1 is below /v1."),
    NOT_FOUND(404, "There is no such thing", "It never existed, was pruned, or the token may not see it."),
    WRONG_METHOD(405, "This path does not take this method", "The header Allow lists the methods that it takes."),
    WRONG_STATE(
            409,
            "It is in a state in which the request makes no sense",
            "Nothing was changed; the detail says which states allow it."),
    KEY_IN_USE(
            409,
            "A request with this idempotency key is still under way",
            "Wait as long as Retry-After says and send the same request again: it is answered as the first one was."),
    WORKER_LOST(
            410,
            "The worker's lease has ended",
            "Its jobs went back to their queues; stop what still runs and register again."),
    STALE_VERSION(
            412,
            "What the change was made for has changed since",
            "Read it again, look at what changed, and send the change with the new ETag. Nothing was changed."),
    TOO_LARGE(413, "The request is too large", "The detail says how much is allowed. Send less, or in parts."),
    WRONG_MEDIA_TYPE(
            415, "The body is of a kind that this path does not take", "Send the Content-Type that the detail names."),
    WRONG_HOST(
            421,
            "This server does not answer for that host",
            "Ask by a name that the server knows; 'headgate serve --allow-host NAME' adds one."),
    VERSION_NEEDED(
            428,
            "The change must say which version it was made for",
            "Read what is to be changed and send its ETag as If-Match; * changes it whatever it is by now."),
    KEY_REUSED(
            422,
            "The idempotency key stands for another request",
            "Give each request a key of its own, and repeat a request byte for byte; a key is kept for 24 hours."),
    TOO_MANY_GUESSES(429, "Too many wrong tokens came from this address", "Wait as long as Retry-After says."),
    TOO_MANY_VIEWERS(
            429,
            "Too many clients view the events of this server",
            "Wait as long as Retry-After says, or ask another server."),
    BACKLOG_FULL(
            429,
            "The queue or a gate takes no more jobs now",
            "Wait as long as Retry-After says and send the job again; nothing was stored."),
    HEADERS_TOO_LARGE(431, "The headers are too large", "Send less than 16 KiB of headers."),
    INTERNAL(
            500,
            "The server failed",
            "It is a fault of Headgate; the server's log has it under the number in the detail."),
    BUSY(
            503,
            "The server does as much of this at once as it takes on",
            "Wait as long as Retry-After says and send the request again; nothing was written."),
    STORE_UNAVAILABLE(
            503,
            "The store cannot be reached",
            "Nothing is known to have been written. Try again in a moment; send an Idempotency-Key, so that a repeat of an enqueue adds nothing.");

    private final int status;
    private final String title;
    private final String remedy;

    Problem(int status, String title, String remedy) {
        this.status = status;
        this.title = title;
        this.remedy = remedy;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }

    /** The last part of the problem's type. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Problem> ofSlug(String slug) {
        for (Problem problem : values()) {
            if (problem.slug().equals(slug)) {
                return Optional.of(problem);
            }
        }
        return Optional.empty();
    }
}
