package dev.headgate.cli;

import java.util.List;
import java.util.Random;

/** Makes new texts of old ones: cut, doubled, swapped, spliced, with characters and words that readers stumble over. */
final class Mutation {
    private static final List<String> WORDS = List.of(
            "",
            " ",
            "\t",
            "\n",
            "\r\n",
            "\u0000",
            "\u001b[31m",
            "\u0085",
            "\u2028",
            "\u202e",
            "\ufeff",
            "\ud800",
            "\udc00",
            "🚀",
            "é",
            "İ",
            "ſ",
            "'",
            "\"",
            "\\",
            "%",
            "%s",
            "%25",
            "`",
            "$",
            ";",
            ",",
            ":",
            "/",
            "*",
            "?",
            "#",
            "@",
            "&",
            "!",
            "|",
            "<",
            ">",
            "=",
            "+",
            "-",
            "_",
            ".",
            "..",
            "...",
            "--",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "[[[[[[[[",
            "{\"a\":",
            "0",
            "00",
            "1",
            "-1",
            "0.5",
            "1e9",
            "1e400",
            "1e999999999",
            "NaN",
            "Infinity",
            "0x10",
            "٣",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "999999999",
            "999999999d",
            "ms",
            "us",
            "s",
            "m",
            "h",
            "d",
            "p",
            "P",
            "PT",
            "PT-5S",
            "PT0.0000001S",
            "P999999999999D",
            "1/1s",
            "/1m",
            "1/0s",
            "burst",
            "by-cost",
            "shadow",
            "back-off",
            "rate",
            "window",
            "concurrency",
            "quota",
            "fair",
            "journal",
            "1/day",
            "UTC",
            "Europe/Berlin",
            " in ",
            "cron",
            "every",
            "once",
            "L",
            "W",
            "1#5",
            "*/0",
            "*/9999",
            "5-1",
            "31 2",
            "29 2",
            "9999-12-31T23:59:59Z",
            "+1000000000-12-31T23:59:59Z",
            "2026-03-29T02:30",
            "now",
            "true",
            "false",
            "null",
            "~",
            "&a",
            "*a",
            "<<",
            "!!java.net.URL",
            "- ",
            "? ",
            "---",
            "...",
            "%YAML 9.9",
            "\"type\"",
            "\"children\":[",
            "\"payload\":",
            "@class",
            "javax.naming.InitialContext",
            "\\u0000",
            "\\ud800");

    private final Random random;

    Mutation(Random random) {
        this.random = random;
    }

    String of(List<String> corpus) {
        StringBuilder text = new StringBuilder(pick(corpus));
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            change(text, corpus);
        }
        return text.toString();
    }

    private void change(StringBuilder text, List<String> corpus) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(8));
        switch (random.nextInt(9)) {
            case 0 -> text.delete(from, to);
            case 1 -> text.insert(from, text.substring(from, to));
            case 2 -> text.insert(from, pick(WORDS));
            case 3 -> text.replace(from, to, pick(WORDS));
            case 4 -> text.replace(from, to, Character.toString(random.nextInt(0x250)));
            case 5 -> text.insert(from, random.nextLong());
            case 6 -> text.replace(from, text.length(), tail(pick(corpus)));
            case 7 -> text.setLength(from);
            default -> text.insert(from, pick(WORDS).repeat(random.nextInt(300)));
        }
    }

    private String tail(String other) {
        return other.substring(random.nextInt(other.length() + 1));
    }

    private String pick(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
