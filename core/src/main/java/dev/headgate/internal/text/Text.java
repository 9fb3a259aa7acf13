package dev.headgate.internal.text;

/** Makes text from outside fit to be stored and shown. */
public final class Text {
    private Text() {}

    /** Cuts to {@code lengthMax} characters and replaces what a store cannot keep: NUL and halves of surrogate pairs. */
    public static String storable(String text, int lengthMax) {
        String cut = text.length() <= lengthMax ? text : text.substring(0, lengthMax - 1) + "…";
        if (cut.indexOf('\0') < 0 && !hasLoneSurrogate(cut)) {
            return cut;
        }
        StringBuilder clean = new StringBuilder(cut.length());
        for (int i = 0; i < cut.length(); i++) {
            char c = cut.charAt(i);
            clean.append(c == '\0' || isLoneSurrogate(cut, i) ? '\uFFFD' : c);
        }
        return clean.toString();
    }

    /** Makes control and escape characters visible, so that stored text cannot drive a terminal or forge a log line. */
    public static String visible(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isInvisible(c)) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static boolean isInvisible(int c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }

    static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isLoneSurrogate(text, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
