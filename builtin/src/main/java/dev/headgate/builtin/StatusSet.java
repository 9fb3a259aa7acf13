package dev.headgate.builtin;

import dev.headgate.internal.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Some of the statuses that an HTTP answer can have: {@code 200-299}, {@code 404}. */
record StatusSet(List<Range> ranges) {
    static final String SUCCESS_TEXT = "200-299";

    private static final Pattern RANGE = Pattern.compile("([1-5]\\d\\d)(?:-([1-5]\\d\\d))?");

    record Range(int from, int to) {}

    static StatusSet parse(List<String> texts) {
        List<Range> ranges = new ArrayList<>();
        for (String text : texts) {
            Matcher matcher = RANGE.matcher(text.strip());
            if (!matcher.matches()) {
                throw unreadable(text);
            }
            int from = Integer.parseInt(matcher.group(1));
            int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
            if (to < from) {
                throw unreadable(text);
            }
            ranges.add(new Range(from, to));
        }
        return new StatusSet(List.copyOf(ranges));
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException("expect: expected a status such as 404 or a range such as 200-299, got '%s'"
                .formatted(Text.visible(Text.storable(text, 40))));
    }

    boolean contains(int status) {
        return ranges.stream().anyMatch(range -> range.from() <= status && status <= range.to());
    }

    @Override
    public String toString() {
        return String.join(
                ", ",
                ranges.stream()
                        .map(range -> range.from() == range.to() ? "" + range.from() : range.from() + "-" + range.to())
                        .toList());
    }
}
