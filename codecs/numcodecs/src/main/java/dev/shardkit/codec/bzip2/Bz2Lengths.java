package dev.shardkit.codec.bzip2;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Computes the lengths of Huffman codes for given frequencies of symbols. */
final class Bz2Lengths {
    /** The maximum length that bzip2 writes; decoders accept 20. */
    private static final int LONGEST = 17;

    private Bz2Lengths() {}

    private static final class Node {
        private final long count;
        private int parent;

        Node(long count) {
            this.count = count;
        }
    }

    /** Returns a length from 1 to 17 for each symbol, also for those that do not occur. */
    static int[] of(long[] counts) {
        long[] weights = counts.clone();
        while (true) {
            int[] lengths = unlimited(weights);
            int longest = 0;
            for (int length : lengths) {
                longest = Math.max(longest, length);
            }
            if (longest <= LONGEST) {
                return lengths;
            }
            // More even weights make shorter codes.
            for (int i = 0; i < weights.length; i++) {
                weights[i] /= 2;
            }
        }
    }

    private static int[] unlimited(long[] weights) {
        Node[] nodes = new Node[2 * weights.length - 1];
        PriorityQueue<Integer> open = new PriorityQueue<>(
                Comparator.<Integer>comparingLong(i -> nodes[i].count).thenComparing(Comparator.naturalOrder()));
        for (int i = 0; i < weights.length; i++) {
            nodes[i] = new Node(Math.max(1, weights[i]));
            open.add(i);
        }
        for (int i = weights.length; i < nodes.length; i++) {
            int a = open.remove();
            int b = open.remove();
            nodes[i] = new Node(nodes[a].count + nodes[b].count);
            nodes[a].parent = i;
            nodes[b].parent = i;
            open.add(i);
        }
        int[] depths = new int[nodes.length];
        for (int i = nodes.length - 2; i >= 0; i--) {
            depths[i] = depths[nodes[i].parent] + 1;
        }
        return Arrays.copyOf(depths, weights.length);
    }
}
