package dev.headgate.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * One statement file: SQL with named parameters ({@code :id}), as the driver wants it. A file may hold several
 * statements, separated by a line {@code -- then}, for databases that cannot change two tables in one.
 */
record SqlText(String name, List<Part> parts) {
    private static final Map<String, SqlText> FIXED = new ConcurrentHashMap<>();
    private static final Pattern THEN = Pattern.compile("(?m)^-- then$");

    /** SQL with question marks, and the parameter behind each. */
    record Part(String sql, List<String> parameters) {}

    /** By its name, which tells most of them apart: it is part of a key in every trip. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** One that is no statement file: parsed once. For fixed texts only, of which there are few. */
    static SqlText fixed(String name, String text) {
        return FIXED.computeIfAbsent(text, sql -> parse(name, sql));
    }

    static SqlText parse(String name, String text) {
        List<Part> parts = new ArrayList<>();
        for (String part : THEN.split(text, -1)) {
            parts.add(parsePart(part));
        }
        return new SqlText(name, List.copyOf(parts));
    }

    private static Part parsePart(String text) {
        StringBuilder sql = new StringBuilder(text.length());
        List<String> parameters = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '\'') {
                int end = text.indexOf('\'', i + 1) + 1;
                sql.append(text, i, end);
                i = end;
            } else if (text.startsWith("--", i)) {
                i = endOfLine(text, i);
            } else if (text.startsWith("::", i)) {
                sql.append("::");
                i += 2;
            } else if (c == ':' && i + 1 < text.length() && Character.isLetter(text.charAt(i + 1))) {
                int end = i + 1;
                while (end < text.length() && isNamePart(text.charAt(end))) {
                    end++;
                }
                parameters.add(text.substring(i + 1, end));
                sql.append('?');
                i = end;
            } else {
                sql.append(c);
                i++;
            }
        }
        return new Part(sql.toString().strip(), List.copyOf(parameters));
    }

    private static int endOfLine(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
