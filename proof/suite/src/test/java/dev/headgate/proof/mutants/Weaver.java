package dev.headgate.proof.mutants;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.RecordComponentNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Puts all mutants of a class into it at once, each behind its {@link Switch}. So a class is loaded once, whatever is planted later.
 *
 * <p>Left alone: what only describes ({@code toString}, messages of exceptions), what a record or an enum is given by the compiler,
 * {@code equals} and {@code hashCode}, and static blocks, which run once.
 */
final class Weaver {
    private static final Set<String> LEFT_ALONE =
            Set.of("toString", "hashCode", "equals", "<clinit>", "values", "valueOf", "$values");

    private static final String ROOT = "dev/headgate/";
    private static final Pattern OURS = Pattern.compile(ROOT + "[\\w/$]+");

    private final List<JavaMutant> mutants = new ArrayList<>();
    private final Map<String, CRC32> code = new TreeMap<>();

    /** Mutants of all classes that were woven; their places in this list are what the switch knows them by. */
    List<JavaMutant> mutants() {
        return mutants;
    }

    /** By method, a number for its code: the same as long as nothing in it changes but names. */
    Map<String, String> digests() {
        Map<String, String> digests = new TreeMap<>();
        code.forEach((place, sum) -> digests.put(place, "%08x".formatted(sum.getValue())));
        return digests;
    }

    byte[] weave(byte[] original) {
        ClassNode type = new ClassNode();
        new ClassReader(original).accept(type, ClassReader.SKIP_FRAMES);
        String name = type.name.substring(ROOT.length()).replace('/', '.');
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (MethodNode method : type.methods) {
            String written = written(method.name);
            if (LEFT_ALONE.contains(written) || isAccessor(type, method) || (method.access & ACC_BRIDGE) != 0) {
                continue;
            }
            String place = name + "." + written;
            CRC32 sum = code.computeIfAbsent(place, absent -> new CRC32());
            new Sites(method, (insn, mutator) -> add(name, written, numbers, insn, mutator)).weave(sum);
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        type.accept(writer);
        return writer.toByteArray();
    }

    /** Adds mutants of one site, one after the other; returns the number of the first. */
    private int add(
            String type, String method, Map<String, Integer> numbers, AbstractInsnNode insn, List<Mutator> mutators) {
        int site = mutants.size();
        for (Mutator mutator : mutators) {
            int number = numbers.merge(method + mutator, 1, Integer::sum);
            mutants.add(new JavaMutant(type, method, mutator, number, line(insn), site));
        }
        return site;
    }

    private static int line(AbstractInsnNode insn) {
        for (AbstractInsnNode at = insn; at != null; at = at.getPrevious()) {
            if (at instanceof LineNumberNode line) {
                return line.line;
            }
        }
        return 0;
    }

    /** The method that a lambda is written in. */
    private static String written(String name) {
        if (!name.startsWith("lambda$")) {
            return name.equals("<init>") ? "new" : name;
        }
        String in = name.substring("lambda$".length(), name.lastIndexOf('$'));
        return in.equals("static") ? "<clinit>" : in.equals("new") ? "new" : in;
    }

    private static boolean isAccessor(ClassNode type, MethodNode method) {
        if (type.recordComponents == null || !method.desc.startsWith("()")) {
            return false;
        }
        for (RecordComponentNode component : type.recordComponents) {
            if (component.name.equals(method.name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * What the code does, whatever the lines and the numbers of lambdas are, and whatever this project calls its classes, methods
     * and texts: mutants are counted, and a new name moves none of them.
     */
    static String word(AbstractInsnNode insn) {
        String what =
                switch (insn) {
                    case MethodInsnNode call -> named(call.owner, written(call.name)) + call.desc;
                    case FieldInsnNode field -> named(field.owner, field.name) + field.desc;
                    case LdcInsnNode constant -> constant.cst instanceof Number number ? number.toString() : "";
                    case TypeInsnNode type -> type.desc;
                    case InvokeDynamicInsnNode made -> made.desc;
                    default -> "";
                };
        return insn.getOpcode() + OURS.matcher(what).replaceAll("our");
    }

    private static String named(String owner, String member) {
        return owner.startsWith(ROOT) ? "our " : owner + member;
    }
}
