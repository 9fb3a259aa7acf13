package dev.headgate.cli.server;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.server.api.TokenJson;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import dev.headgate.server.token.TokenRequest;
import dev.headgate.server.token.Tokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the tokens of the HTTP API; its subcommands make and revoke them. */
@Command(
        name = "token",
        aliases = "tokens",
        description = "List the tokens of the HTTP API; create and revoke them.",
        footer = {
            "",
            "Rights: read, payloads (see payloads and results), enqueue, work, operate (cancel, retry, hold, policies …),",
            "admin (all of them). A token with --queue or --type touches only such jobs, and nothing that others share.",
            "",
            "Examples:",
            "  headgate token create mailer --right enqueue --queue mail --lifetime 90d",
            "  headgate token create on-call --right read --right operate",
            "  headgate token revoke 3fK0aQ_x"
        })
public final class TokenCommand implements Callable<Integer> {
    private final CommandContext shell;

    public TokenCommand(CommandContext shell) {
        this.shell = shell;
    }

    /** The command with all its subcommands. */
    public static CommandLine commandLine(CommandContext shell) {
        return new CommandLine(new TokenCommand(shell))
                .addSubcommand(new ListCommand(shell))
                .addSubcommand(new CreateCommand(shell))
                .addSubcommand(new RevokeCommand(shell));
    }

    @Override
    public Integer call() {
        return list(shell);
    }

    private static int list(CommandContext shell) {
        try (Headgate headgate = shell.open()) {
            List<Token> tokens = Tokens.of(headgate).list();
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("tokens", tokens.stream().map(TokenJson::of).toList())
                        .toString());
            } else if (tokens.isEmpty()) {
                shell.say("no tokens; make one with 'headgate token create NAME --right read'");
            } else {
                Table table = new Table("ID", "NAME", "RIGHTS", "QUEUES", "TYPES", "CREATED", "EXPIRES", "LAST USED");
                tokens.forEach(token -> table.row(
                        token.id(),
                        token.name(),
                        rights(token),
                        named(token.queues()),
                        named(token.types()),
                        token.createdAt(),
                        token.expiresAt() == null ? "never" : token.expiresAt(),
                        token.usedAt() == null ? "never" : token.usedAt()));
                shell.say(table);
            }
        }
        return ExitCode.OK;
    }

    private static String named(List<String> patterns) {
        return patterns.isEmpty() ? "all" : String.join(", ", patterns);
    }

    private static String rights(Token token) {
        return token.rights().stream().sorted().map(Right::text).collect(Collectors.joining(", "));
    }

    /** {@code list}, the same as the command without a subcommand. */
    @Command(name = "list", description = "List tokens, the oldest first, without their secrets.")
    static final class ListCommand implements Callable<Integer> {
        private final CommandContext shell;

        ListCommand(CommandContext shell) {
            this.shell = shell;
        }

        @Override
        public Integer call() {
            return list(shell);
        }
    }

    /** {@code create}. */
    @Command(
            name = "create",
            description = "Make a token and print its secret, which is shown this once and stored nowhere.")
    static final class CreateCommand implements Callable<Integer> {
        private final CommandContext shell;

        @Parameters(paramLabel = "NAME", description = "what it is for, in your words")
        private String name = "";

        @Option(
                names = "--right",
                paramLabel = "RIGHT",
                required = true,
                description = "read, payloads, enqueue, work, operate or admin; may be repeated")
        private List<String> rights = new ArrayList<>();

        @Option(
                names = "--queue",
                paramLabel = "QUEUE",
                description = "for this queue, or queues such as 'site:*', only; may be repeated")
        private List<String> queues = new ArrayList<>();

        @Option(names = "--type", paramLabel = "TYPE", description = "for this job type only; may be repeated")
        private List<String> types = new ArrayList<>();

        @Option(names = "--lifetime", paramLabel = "SPAN", description = "give access for this long. Default: for ever")
        private @Nullable Duration lifetime;

        CreateCommand(CommandContext shell) {
            this.shell = shell;
        }

        @Override
        public Integer call() {
            TokenRequest request = request();
            try (Headgate headgate =
                    shell.openOrCreate(imagined -> Tokens.of(imagined).create(request))) {
                Tokens.Created made = Tokens.of(headgate).create(request);
                if (shell.isJson()) {
                    // As it is: the writer would hide a field with this name.
                    shell.say(TokenJson.of(made.token())
                            .put("secret", made.secret())
                            .toString());
                } else {
                    shell.say(made.secret());
                    shell.note("token %s, '%s': %s. This is the only time that its secret is shown."
                            .formatted(made.token().id(), made.token().name(), rights(made.token())));
                }
            }
            return ExitCode.OK;
        }

        private TokenRequest request() {
            try {
                TokenRequest request = TokenRequest.named(name);
                for (String right : rights) {
                    request = request.right(Right.parse(right));
                }
                for (String queue : queues) {
                    request = request.queue(queue);
                }
                for (String type : types) {
                    request = request.type(type);
                }
                return lifetime == null ? request : request.lifetime(lifetime);
            } catch (IllegalArgumentException wrong) {
                throw CommandException.usage(String.valueOf(wrong.getMessage()));
            }
        }
    }

    /** {@code revoke}. */
    @Command(name = "revoke", description = "Take the access of tokens away for good, within two seconds.")
    static final class RevokeCommand implements Callable<Integer> {
        private final CommandContext shell;

        @Parameters(arity = "1..*", paramLabel = "ID", description = "as 'headgate token list' shows it")
        private List<String> ids = new ArrayList<>();

        RevokeCommand(CommandContext shell) {
            this.shell = shell;
        }

        @Override
        public Integer call() {
            int exit = ExitCode.OK;
            List<JsonWriter> answers = new ArrayList<>();
            try (Headgate headgate = shell.openToChange()) {
                for (String id : ids) {
                    boolean isRevoked = Tokens.of(headgate).revoke(id);
                    exit = isRevoked ? exit : ExitCode.BAD;
                    answers.add(JsonWriter.object().put("id", id).put("answer", isRevoked ? "revoked" : "not_found"));
                    if (shell.isJson()) {
                        continue;
                    }
                    if (isRevoked) {
                        shell.say("token %s: revoked".formatted(id));
                    } else {
                        shell.note("headgate: token %s: no such token; see headgate token list".formatted(id));
                    }
                }
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("answers", answers));
            }
            return exit;
        }
    }
}
