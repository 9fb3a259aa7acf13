package dev.headgate.server.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** Ends the work on a request, with what is wrong with it. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Problem problem;
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    /**
     * A problem of this kind.
     *
     * @param detail what was expected and what was found, in this request
     */
    public ProblemException(Problem problem, String detail) {
        super(detail, null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    /** A header that goes with the answer. */
    public ProblemException header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
