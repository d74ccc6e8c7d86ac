package dev.shardkit.codec.bzip2;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Computes the lengths of Huffman codes for given frequencies of symbols. */
final class Bz2Lengths {
    /** The maximum length that bzip2 writes; decoders accept 20. */
    private static final int LONGEST = 17;

    private Bz2Lengths() {}

    /** A leaf (symbol) or inner node of a Huffman tree. */
    private static final class Node {
        private final long count;
        private int parent;

        Node(long count) {
            this.count = count;
        }
    }

    /** Returns a length from 1 to 17 for each symbol, also for symbols that do not occur. */
    static int[] of(long[] counts) {
        long[] weights = counts.clone();
        while (true) {
            int[] lengths = huffmanDepths(weights);
            int longest = 0;
            for (int length : lengths) {
                longest = Math.max(longest, length);
            }
            if (longest <= LONGEST) {
                return lengths;
            }
            // Halving makes the weights more equal, because each counts at least 1. So the longest code gets shorter.
            for (int i = 0; i < weights.length; i++) {
                weights[i] /= 2;
            }
        }
    }

    /** Returns the depths of the symbols in a Huffman tree, whose leaves come first among its nodes. */
    private static int[] huffmanDepths(long[] weights) {
        Node[] nodes = new Node[2 * weights.length - 1];
        PriorityQueue<Integer> roots = new PriorityQueue<>(
                Comparator.<Integer>comparingLong(i -> nodes[i].count).thenComparing(Comparator.naturalOrder()));
        for (int i = 0; i < weights.length; i++) {
            nodes[i] = new Node(Math.max(1, weights[i]));
            roots.add(i);
        }
        for (int i = weights.length; i < nodes.length; i++) {
            int a = roots.remove();
            int b = roots.remove();
            nodes[i] = new Node(nodes[a].count + nodes[b].count);
            nodes[a].parent = i;
            nodes[b].parent = i;
            roots.add(i);
        }
        int[] depths = new int[nodes.length];
        for (int i = nodes.length - 2; i >= 0; i--) {
            depths[i] = depths[nodes[i].parent] + 1;
        }
        return Arrays.copyOf(depths, weights.length);
    }
}
