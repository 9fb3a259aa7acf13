package dev.headgate.examples;

import java.util.ArrayList;
import java.util.List;

/** Takes a command apart as a shell does: words, quotes, nothing behind a comment or a pipe; nor behind a wide gap. */
final class Words {
    private Words() {}

    static List<String> of(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isWord = false;
        char quote = 0;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                isWord = true;
            } else if (!isWord && (command.startsWith("  ", i) || c == '#' || c == '|' || c == '>' || c == '&')) {
                return words;
            } else if (Character.isWhitespace(c)) {
                if (isWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    isWord = false;
                }
            } else {
                word.append(c);
                isWord = true;
            }
        }
        if (isWord) {
            words.add(word.toString());
        }
        return words;
    }
}
