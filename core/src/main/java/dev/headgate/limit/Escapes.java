package dev.headgate.limit;

import java.util.List;

/** Names inside the text of a policy: what separates its words is written %20, %25, %2C, %3B, %3D or %7C. */
final class Escapes {
    private static final List<String> SIGNS = List.of("%", " ", ",", ";", "=", "|");

    private Escapes() {}

    static String written(String name) {
        String text = name;
        for (String sign : SIGNS) { // the percent sign first: it begins all others
            text = text.replace(sign, code(sign));
        }
        return text;
    }

    static String read(String text) {
        String name = text;
        for (String sign : SIGNS.reversed()) {
            name = name.replace(code(sign), sign);
        }
        return name;
    }

    private static String code(String sign) {
        return "%%%02X".formatted((int) sign.charAt(0));
    }
}
