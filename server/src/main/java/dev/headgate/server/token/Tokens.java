package dev.headgate.server.token;

import dev.headgate.Headgate;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.Backend;
import dev.headgate.spi.TokenRow;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The access tokens of a store. A secret is 256 bits from the system's random source, shown once; only its SHA-256 is stored.
 * Thread-safe.
 */
public final class Tokens {
    /** What every secret begins with, so that scanners for leaked secrets find it. */
    public static final String PREFIX = "hg_";

    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 6;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final Backend backend;

    private Tokens(Backend backend) {
        this.backend = backend;
    }

    /** The tokens of the store behind this. */
    public static Tokens of(Headgate headgate) {
        return new Tokens(OpenStore.of(headgate));
    }

    /**
     * A token that was just made.
     *
     * @param secret what its bearer sends; this is the only time that it can be read
     */
    public record Created(Token token, String secret) {
        /** Without the secret, which must not get into a log. */
        @Override
        public String toString() {
            return "Created[token=%s]".formatted(token);
        }
    }

    /** Makes a token. */
    public Created create(TokenRequest request) {
        if (request.rights().isEmpty()) {
            throw new IllegalArgumentException("token '%s': expected at least one right (%s), got none"
                    .formatted(
                            request.name(),
                            Arrays.stream(Right.values()).map(Right::text).collect(Collectors.joining(", "))));
        }
        String secret = PREFIX + random(SECRET_BYTES);
        String rights = request.rights().stream().sorted().map(Right::text).collect(Collectors.joining("\n"));
        TokenRow row = backend.write(tx -> {
            long now = tx.now();
            TokenRow made = new TokenRow(
                    random(ID_BYTES),
                    request.name(),
                    hash(secret),
                    rights,
                    String.join("\n", request.queues()),
                    String.join("\n", request.types()),
                    now,
                    request.lifetime() == null ? null : now + Micros.of(request.lifetime()),
                    null);
            if (!tx.tokens().insert(made)) {
                throw new IllegalStateException(
                        "token: expected a new id and a new secret, drew one that is taken; try again");
            }
            return made;
        });
        return new Created(token(row), secret);
    }

    /** All tokens, the oldest first; those that have expired lately, too. */
    public List<Token> list() {
        return backend.read(tx -> tx.tokens().all()).stream().map(Tokens::token).toList();
    }

    /** Takes the access away for good. Servers notice within two seconds. Returns whether there was such a token. */
    public boolean revoke(String id) {
        return backend.write(tx -> tx.tokens().delete(id));
    }

    /** The token of this secret, if there is one that gives access now. */
    public Optional<Token> find(String secret) {
        String hash = hash(secret);
        return Optional.ofNullable(backend.<@Nullable Token>read(tx -> {
            TokenRow row = tx.tokens().find(hash);
            return row == null || (row.expiresAt() != null && row.expiresAt() <= tx.now()) ? null : token(row);
        }));
    }

    /** Notes that a token was used just now. */
    public void use(String id) {
        backend.write(tx -> {
            tx.tokens().use(id, tx.now());
            return true;
        });
    }

    /** What is stored of a secret. */
    public static String hash(String secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("expected SHA-256, which every Java has", missing);
        }
    }

    private static String random(int bytes) {
        byte[] drawn = new byte[bytes];
        RANDOM.nextBytes(drawn);
        return TEXT.encodeToString(drawn);
    }

    private static Token token(TokenRow row) {
        return new Token(
                row.id(),
                row.name(),
                rights(row.rights()),
                lines(row.queues()),
                lines(row.types()),
                Micros.instant(row.createdAt()),
                row.expiresAt() == null ? null : Micros.instant(row.expiresAt()),
                row.usedAt() == null ? null : Micros.instant(row.usedAt()));
    }

    /** A right that only a newer version knows gives nothing here. */
    private static Set<Right> rights(String text) {
        Set<Right> rights = new TreeSet<>();
        for (Right right : Right.values()) {
            if (lines(text).contains(right.text())) {
                rights.add(right);
            }
        }
        return rights;
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }
}
