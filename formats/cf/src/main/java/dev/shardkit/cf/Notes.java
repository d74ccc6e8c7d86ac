package dev.shardkit.cf;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects the notes of a {@link CfDataset}. Their number is limited, so that a hostile dataset cannot fill the memory.
 * Not thread-safe.
 */
final class Notes {
    private static final int MAX = 1000;
    private final List<CfNote> notes = new ArrayList<>();

    void add(String variable, String message) {
        if (notes.size() < MAX) {
            notes.add(new CfNote(variable, message));
        } else if (notes.size() == MAX) {
            notes.add(new CfNote("", "more notes are left out"));
        }
    }

    List<CfNote> list() {
        return List.copyOf(notes);
    }
}
