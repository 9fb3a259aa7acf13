package dev.headgate.proof.mutants;

import static dev.headgate.proof.mutants.Mutator.*;
import static org.objectweb.asm.Opcodes.*;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** The places of one method at which it could be changed. */
final class Sites {
    /** Takes note of the mutants of a site and returns the number of the first. */
    interface Found {
        int add(AbstractInsnNode insn, List<Mutator> mutators);
    }

    private static final String SWITCH = Type.getInternalName(Switch.class);
    private static final Map<Integer, String> JUMPS = Map.ofEntries(
            Map.entry(IFEQ, "eq"),
            Map.entry(IFNE, "ne"),
            Map.entry(IFLT, "lt"),
            Map.entry(IFGE, "ge"),
            Map.entry(IFGT, "gt"),
            Map.entry(IFLE, "le"),
            Map.entry(IF_ICMPEQ, "eq"),
            Map.entry(IF_ICMPNE, "ne"),
            Map.entry(IF_ICMPLT, "lt"),
            Map.entry(IF_ICMPGE, "ge"),
            Map.entry(IF_ICMPGT, "gt"),
            Map.entry(IF_ICMPLE, "le"),
            Map.entry(IFNULL, "same"),
            Map.entry(IFNONNULL, "same"),
            Map.entry(IF_ACMPEQ, "same"),
            Map.entry(IF_ACMPNE, "same"));
    private static final Map<Integer, String> ARITHMETIC = Map.ofEntries(
            Map.entry(IADD, "add(II"),
            Map.entry(LADD, "add(JJ"),
            Map.entry(DADD, "add(DD"),
            Map.entry(ISUB, "sub(II"),
            Map.entry(LSUB, "sub(JJ"),
            Map.entry(DSUB, "sub(DD"),
            Map.entry(IMUL, "mul(II"),
            Map.entry(LMUL, "mul(JJ"),
            Map.entry(DMUL, "mul(DD"),
            Map.entry(IDIV, "div(II"),
            Map.entry(LDIV, "div(JJ"),
            Map.entry(DDIV, "div(DD"),
            Map.entry(IREM, "rem(II"),
            Map.entry(LREM, "rem(JJ"));
    private static final Set<String> MATH = Set.of("min", "max", "addExact", "subtractExact");
    private static final Set<String> EMPTY = Set.of(
            "Ljava/lang/String;", "Ljava/util/List;", "Ljava/util/Set;", "Ljava/util/Map;", "Ljava/util/Optional;");
    /** The compiler calls these without being asked to. */
    private static final Set<String> NOT_WRITTEN = Set.of("requireNonNull", "addSuppressed");

    private final InsnList code;
    private final Found found;
    private final Type returned;

    Sites(MethodNode method, Found found) {
        this.found = found;
        code = method.instructions;
        returned = Type.getReturnType(method.desc);
    }

    void weave(CRC32 sum) {
        Set<AbstractInsnNode> messages = messages();
        for (AbstractInsnNode insn : code.toArray()) {
            if (insn.getOpcode() >= 0) {
                sum.update(Weaver.word(insn).getBytes(StandardCharsets.UTF_8));
            }
            if (!messages.contains(insn)) {
                weave(insn);
            }
        }
    }

    /** From the creation of an exception until it is thrown, code writes a message. */
    private Set<AbstractInsnNode> messages() {
        Set<AbstractInsnNode> messages = new HashSet<>();
        boolean isMessage = false;
        for (AbstractInsnNode insn : code) {
            if (insn.getOpcode() == NEW && ((TypeInsnNode) insn).desc.matches(".*(Exception|Error)")) {
                isMessage = true;
            } else if (insn.getOpcode() == ATHROW || insn.getOpcode() == ARETURN) {
                isMessage = false;
            }
            if (isMessage) {
                messages.add(insn);
            }
        }
        return messages;
    }

    private void weave(AbstractInsnNode insn) {
        int opcode = insn.getOpcode();
        switch (insn) {
            case JumpInsnNode jump when JUMPS.containsKey(opcode) -> jump(jump);
            case InsnNode plain
            when ARITHMETIC.containsKey(opcode) -> {
                String descriptor = ARITHMETIC.get(opcode);
                swap(plain, descriptor.substring(0, 3), descriptor.substring(3));
            }
            case MethodInsnNode call
            when call.owner.equals("java/lang/Math") && MATH.contains(call.name) && !call.desc.contains("D") ->
                swap(call, call.name, call.desc.substring(0, call.desc.indexOf(')')));
            case MethodInsnNode call -> drop(call);
            case InsnNode plain when opcode >= IRETURN && opcode <= ARETURN -> result(plain);
            case IincInsnNode count -> {
                int site = found.add(count, List.of(INCREMENT));
                code.insertBefore(count, new VarInsnNode(ILOAD, count.var));
                code.insertBefore(count, new LdcInsnNode(count.incr));
                ask(count, "turned", "(II)I", site);
                code.insertBefore(count, new InsnNode(IADD));
                code.set(count, new VarInsnNode(ISTORE, count.var));
            }
            default -> constant(insn);
        }
    }

    private void ask(AbstractInsnNode before, String question, String descriptor, int site) {
        code.insertBefore(before, new LdcInsnNode(site));
        code.insertBefore(before, new MethodInsnNode(INVOKESTATIC, SWITCH, question, descriptor));
    }

    private void jump(JumpInsnNode jump) {
        int opcode = jump.getOpcode();
        String question = JUMPS.get(opcode);
        boolean isOrdered = !Set.of("eq", "ne", "same").contains(question);
        int site = found.add(jump, isOrdered ? List.of(NEGATE_CONDITION, SHIFT_BOUNDARY) : List.of(NEGATE_CONDITION));
        boolean isReference = question.equals("same");
        if (opcode == IFNULL || opcode == IFNONNULL) {
            code.insertBefore(jump, new InsnNode(ACONST_NULL));
        } else if (opcode <= IFLE) {
            code.insertBefore(jump, new InsnNode(ICONST_0));
        }
        ask(jump, question, isReference ? "(Ljava/lang/Object;Ljava/lang/Object;I)Z" : "(III)Z", site);
        jump.setOpcode(opcode == IFNONNULL || opcode == IF_ACMPNE ? IFEQ : IFNE);
    }

    private void swap(AbstractInsnNode insn, String question, String parameters) {
        int site = found.add(insn, List.of(SWAP_ARITHMETIC));
        ask(insn, question, parameters + "I)" + parameters.charAt(1), site);
        code.remove(insn);
    }

    private void drop(MethodInsnNode call) {
        Type result = Type.getReturnType(call.desc);
        int next = call.getNext() == null ? -1 : call.getNext().getOpcode();
        boolean isUnused = result.equals(Type.VOID_TYPE) || next == POP || next == POP2;
        if (!isUnused || call.name.equals("<init>") || NOT_WRITTEN.contains(call.name)) {
            return;
        }
        int site = found.add(call, List.of(DROP_CALL));
        LabelNode dropped = new LabelNode();
        LabelNode end = new LabelNode();
        ask(call, "drop", "(I)Z", site);
        code.insertBefore(call, new JumpInsnNode(IFNE, dropped));
        InsnList instead = new InsnList();
        instead.add(new JumpInsnNode(GOTO, end));
        instead.add(dropped);
        for (Type argument : List.of(Type.getArgumentTypes(call.desc)).reversed()) {
            instead.add(new InsnNode(argument.getSize() == 2 ? POP2 : POP));
        }
        if (call.getOpcode() != INVOKESTATIC) {
            instead.add(new InsnNode(POP));
        }
        if (!result.equals(Type.VOID_TYPE)) {
            instead.add(new InsnNode(nothing(result)));
        }
        instead.add(end);
        code.insert(call, instead);
    }

    private static int nothing(Type type) {
        return switch (type.getSort()) {
            case Type.LONG -> LCONST_0;
            case Type.DOUBLE -> DCONST_0;
            case Type.FLOAT -> FCONST_0;
            case Type.OBJECT, Type.ARRAY -> ACONST_NULL;
            default -> ICONST_0;
        };
    }

    private void result(InsnNode result) {
        AbstractInsnNode previous = result.getPrevious();
        int literal = previous == null ? -1 : previous.getOpcode();
        if (returned.equals(Type.BOOLEAN_TYPE)) {
            if (literal == ICONST_0 || literal == ICONST_1) {
                int site = found.add(result, List.of(literal == ICONST_0 ? RETURN_TRUE : RETURN_ZERO));
                ask(result, "not", "(ZI)Z", site);
            } else {
                ask(result, "truth", "(ZI)Z", found.add(result, List.of(RETURN_ZERO, RETURN_TRUE)));
            }
            return;
        }
        String type = returned.getDescriptor();
        if (literal == ICONST_0 || literal == LCONST_0 || isEmpty(previous)) {
            return;
        }
        if (Set.of("I", "J", "D").contains(type) || EMPTY.contains(type)) {
            ask(result, "zero", "(" + type + "I)" + type, found.add(result, List.of(RETURN_ZERO)));
        }
    }

    private static boolean isEmpty(@Nullable AbstractInsnNode insn) {
        boolean isMade = insn instanceof MethodInsnNode call
                && (call.name.equals("empty") || (call.name.equals("of") && call.desc.startsWith("()")));
        return isMade || (insn instanceof LdcInsnNode text && "".equals(text.cst));
    }

    /** 0 and 1 only where they are computed with or compared: elsewhere most of them are false and true. */
    private void constant(AbstractInsnNode insn) {
        int opcode = insn.getOpcode();
        AbstractInsnNode next = insn.getNext();
        int use = next == null ? -1 : next.getOpcode();
        boolean isFilled = insn.getPrevious() != null && insn.getPrevious().getOpcode() == DUP;
        if (use == ANEWARRAY || use == NEWARRAY || isFilled) {
            return; // the size of an array, and the places in it that the compiler fills
        }
        boolean isNumber = (use >= IADD && use <= LREM) || (use >= IF_ICMPEQ && use <= IF_ICMPLE) || use == LCMP;
        boolean isInt = (opcode >= ICONST_2 && opcode <= ICONST_5)
                || (insn instanceof IntInsnNode && opcode != NEWARRAY)
                || (insn instanceof LdcInsnNode ldc && ldc.cst instanceof Integer)
                || (isNumber && opcode >= ICONST_M1 && opcode <= ICONST_1);
        boolean isLong = (insn instanceof LdcInsnNode ldc && ldc.cst instanceof Long)
                || (isNumber && (opcode == LCONST_0 || opcode == LCONST_1));
        if (isInt || isLong) {
            int site = found.add(insn, List.of(INCREMENT));
            InsnList larger = new InsnList();
            larger.add(new LdcInsnNode(site));
            String type = isInt ? "I" : "J";
            larger.add(new MethodInsnNode(INVOKESTATIC, SWITCH, "next", "(" + type + "I)" + type));
            code.insert(insn, larger);
        }
    }
}
