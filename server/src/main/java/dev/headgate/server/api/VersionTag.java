package dev.headgate.server.api;

import dev.headgate.policy.StaleVersionException;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The version of the policies as an {@code ETag}, and as what a change expects in {@code If-Match}. */
final class VersionTag {
    private static final String HEADER = "If-Match";
    private static final Pattern TAG = Pattern.compile("\"(\\d{1,18})\"");

    private VersionTag() {}

    static Response on(long version, Response response) {
        return response.with("ETag", "\"%d\"".formatted(version));
    }

    static boolean isAbsent(Call call) {
        return call.request().headers(HEADER).isEmpty();
    }

    /** The version that a change expects; absent if it says that any will do. */
    static @Nullable Long needed(Call call) {
        List<String> sent = call.request().headers(HEADER);
        if (sent.isEmpty()) {
            throw new ProblemException(
                    Problem.VERSION_NEEDED,
                    "expected the header 'If-Match' with the ETag of the policies that were read, got none");
        }
        String tag = sent.getFirst().strip();
        if (sent.size() == 1 && tag.equals("*")) {
            return null;
        }
        Matcher match = TAG.matcher(tag);
        if (sent.size() > 1 || !match.matches()) {
            throw new ProblemException(
                    Problem.STALE_VERSION,
                    "expected one ETag of the policies in 'If-Match', such as \"12\", or *, got something else");
        }
        return Long.valueOf(match.group(1));
    }

    static ProblemException stale(StaleVersionException stale) {
        return new ProblemException(Problem.STALE_VERSION, String.valueOf(stale.getMessage()))
                .header("ETag", "\"%d\"".formatted(stale.found()));
    }
}
