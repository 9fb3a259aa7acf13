package dev.headgate.server.access;

import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Request;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import dev.headgate.server.token.Tokens;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Decides whether a request may do what its route does. Rights are checked here, for every route, and nowhere else. */
public final class Gatekeeper {
    /** So long a token that was found is taken for good, and one that was revoked still gives access. */
    static final Duration REMEMBERED = Duration.ofSeconds(2);

    private static final Duration NOTED_EACH = Duration.ofMinutes(1);
    private static final int KNOWN_MAX = 10_000;
    private static final String SCHEME = "bearer ";

    private final Tokens tokens;
    private final Hosts hosts;
    private final LongSupplier nanos;
    private final Guesses guesses = new Guesses();
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** A token by the hash of its secret, when it was looked up and when its use was last noted. */
    private record Known(Token token, long lookedUp, long noted) {}

    /**
     * Lets requests in that have one of these tokens.
     *
     * @param named the hosts that are answered for besides those of loopback
     */
    public Gatekeeper(Tokens tokens, Set<String> named, LongSupplier nanos) {
        this.tokens = tokens;
        this.hosts = new Hosts(named);
        this.nanos = nanos;
    }

    /** Before anything else: whether the request was meant for this server. */
    public void checkHost(Request request) {
        hosts.check(request);
    }

    /**
     * The token of the request, once it is known to give what the route needs; absent if the route needs none.
     *
     * @throws ProblemException if the request may not do this
     */
    public @Nullable Token admit(Request request, Route route) {
        Right right = route.right();
        if (right == null) {
            return null;
        }
        Token token = token(request);
        if (!token.has(right)) {
            throw new ProblemException(
                    Problem.MISSING_RIGHT,
                    "expected a token with the right '%s', got '%s' without it".formatted(right.text(), token.name()));
        }
        if (token.isScoped() && isShared(route, token)) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE,
                    "expected a token for all queues and types, because jobs of many share this; got '%s', which is for some only"
                            .formatted(token.name()));
        }
        return token;
    }

    /** Whether what the route touches is shared with jobs that the token does not cover. */
    private static boolean isShared(Route route, Token token) {
        return switch (route.reach()) {
            case NOTHING, JOBS -> false;
            case QUEUES ->
                token.queues().isEmpty()
                        || (!token.types().isEmpty() && !route.method().equals("GET"));
            case SHARED -> true;
        };
    }

    private Token token(Request request) {
        List<String> sent = request.headers("Authorization");
        if (sent.size() != 1 || !sent.getFirst().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw unauthorized(
                    Problem.NO_TOKEN,
                    sent.isEmpty()
                            ? "expected the header 'Authorization: Bearer hg_…', got none"
                            : "expected one header 'Authorization: Bearer hg_…', got something else");
        }
        String secret = sent.getFirst().substring(SCHEME.length()).strip();
        String hash = Tokens.hash(secret);
        long now = nanos.getAsLong();
        Known before = known.get(hash);
        if (before != null && now - before.lookedUp() < REMEMBERED.toNanos()) {
            return before.token();
        }
        // A token that was good a moment ago is looked up whatever others send from the same address.
        if (before == null && guesses.isShut(request.remote())) {
            throw new ProblemException(
                            Problem.TOO_MANY_GUESSES, "expected a token that gives access, got too many that do not")
                    .header("Retry-After", "60");
        }
        Optional<Token> found = secret.startsWith(Tokens.PREFIX) ? tokens.find(secret) : Optional.empty();
        if (found.isEmpty()) {
            known.remove(hash);
            guesses.count(request.remote());
            throw unauthorized(Problem.BAD_TOKEN, "expected a token that gives access, got one that does not");
        }
        remember(hash, found.get(), before, now);
        return found.get();
    }

    private void remember(String hash, Token token, @Nullable Known before, long now) {
        boolean isToNote = before == null || now - before.noted() >= NOTED_EACH.toNanos();
        if (isToNote) {
            tokens.use(token.id());
        }
        if (known.size() >= KNOWN_MAX) {
            known.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().lookedUp()))
                    .ifPresent(oldest -> known.remove(oldest.getKey()));
        }
        known.put(hash, new Known(token, now, before == null || isToNote ? now : before.noted()));
    }

    private static ProblemException unauthorized(Problem problem, String detail) {
        return new ProblemException(problem, detail).header("WWW-Authenticate", "Bearer realm=\"headgate\"");
    }
}
