package dev.shardkit.testkit.store;

/** A store that takes any string for a key. */
class CarelessStore extends SmallStore {
    @Override
    String checked(String key) {
        return key;
    }
}
