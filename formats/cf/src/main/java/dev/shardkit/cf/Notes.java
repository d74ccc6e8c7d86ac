package dev.shardkit.cf;

import java.util.ArrayList;
import java.util.List;

/** Collects notes; a hostile dataset must not fill the memory with them. Not thread-safe. */
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
