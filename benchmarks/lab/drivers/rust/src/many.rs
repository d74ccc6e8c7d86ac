//! Many readers of one open array at once: threads over the blocking API, or tasks over the asynchronous one.
use crate::{Err, far, near, options, regions, summary};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use tokio::runtime::Runtime;
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableWritableListableStorageTraits;
use zarrs::array::{
    Array, ArrayBytes, ArrayShardedReadableExt, ArrayShardedReadableExtCache, ArraySubset,
    AsyncArrayShardedReadableExtCache,
};

/// The regions, taken one after the other by the readers; the checksum and the time of each.
struct Shared {
    regions: Vec<ArraySubset>,
    next: AtomicUsize,
    read: Vec<OnceLock<(u32, u64)>>,
}

impl Shared {
    fn new(regions: Vec<ArraySubset>) -> Self {
        let read = regions.iter().map(|_| OnceLock::new()).collect();
        Self { regions, next: AtomicUsize::new(0), read }
    }

    fn take(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|i| *i < self.regions.len())
    }

    fn came(&self, i: usize, bytes: ArrayBytes<'static>, begun: Instant) {
        let nanos = begun.elapsed().as_nanos() as u64;
        if let Ok(bytes) = bytes.into_fixed() {
            let _ = self.read[i].set((crc32fast::hash(&bytes), nanos));
        }
    }

    /// The checksum of the regions' checksums in order, and the times of single reads.
    fn ended(self) -> Result<(u32, Vec<u64>), Err> {
        let (mut crc, mut per) = (crc32fast::Hasher::new(), vec![]);
        for one in self.read {
            let (of_region, nanos) = one.into_inner().ok_or("a read has failed; see the log")?;
            crc.update(&of_region.to_le_bytes());
            per.push(nanos);
        }
        Ok((crc.finalize(), per))
    }
}

/// Reads all regions once or more; the time of a repetition is that of all readers together.
pub fn read(job: &Value, peer: &str, runtime: &Runtime) -> Result<Value, Err> {
    let readers = job["readers"].as_u64().unwrap() as usize;
    let tasks = job["style"].as_str() == Some("tasks");
    let (mut reps, mut crcs, mut all) = (vec![], vec![], vec![]);
    let warm = job["warmup_reps"].as_u64().unwrap_or(0);
    for rep in 0..warm + job["reps"].as_u64().unwrap_or(1) {
        let (seconds, crc, per) =
            if tasks { with_tasks(job, peer, readers, runtime)? } else { with_threads(job, peer, readers)? };
        if rep >= warm {
            reps.push(seconds);
            crcs.push(format!("{crc:08x}"));
            all.extend(per);
        }
    }
    let mut r = summary(&mut all);
    r["ok"] = json!(true);
    r["reps"] = json!(reps);
    r["crc"] = json!(crcs);
    Ok(r)
}

fn with_threads(job: &Value, peer: &str, readers: usize) -> Result<(f64, u32, Vec<u64>), Err> {
    let (array, opt) = (Array::open(near(job["array"].as_str().unwrap(), peer)?, "/")?, options(job, peer));
    let (cache, shared) = (ArrayShardedReadableExtCache::new(&array), Shared::new(regions(job)));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..readers {
            scope.spawn(|| {
                while let Some(i) = shared.take() {
                    let begun = Instant::now();
                    match array.retrieve_array_subset_sharded_opt(&cache, &shared.regions[i], &opt) {
                        Ok(bytes) => shared.came(i, bytes, begun),
                        Err(e) => return eprintln!("{e}"),
                    }
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    let (crc, per) = shared.ended()?;
    Ok((seconds, crc, per))
}

fn with_tasks(job: &Value, peer: &str, readers: usize, runtime: &Runtime) -> Result<(f64, u32, Vec<u64>), Err> {
    let (array, opt) = (Arc::new(runtime.block_on(far::open(job))?), Arc::new(options(job, peer)));
    let cache = Arc::new(AsyncArrayShardedReadableExtCache::new(&array));
    let shared = Arc::new(Shared::new(regions(job)));
    let begun = Instant::now();
    let tasks: Vec<_> = (0..readers)
        .map(|_| {
            let (array, opt, cache, shared) = (array.clone(), opt.clone(), cache.clone(), shared.clone());
            runtime.spawn(async move {
                while let Some(i) = shared.take() {
                    let begun = Instant::now();
                    match far::retrieve(&array, Some(&*cache), &shared.regions[i], &opt).await {
                        Ok(bytes) => shared.came(i, bytes, begun),
                        Err(e) => return eprintln!("{e}"),
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        runtime.block_on(task)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let (crc, per) = Arc::into_inner(shared).ok_or("a reader still runs")?.ended()?;
    Ok((seconds, crc, per))
}

/// Reads each region of an array and writes it into another one, `readers` of them at once.
pub fn copy(job: &Value, peer: &str) -> Result<Value, Err> {
    let begun = Instant::now();
    let store: Arc<dyn ReadableWritableListableStorageTraits> =
        Arc::new(FilesystemStore::new(job["target"].as_str().ok_or("a copy needs a target")?)?);
    let target = Array::open(store, "/")?;
    let (source, opt) = (Array::open(near(job["array"].as_str().unwrap(), peer)?, "/")?, options(job, peer));
    let open_s = begun.elapsed().as_secs_f64();
    let (regions, next, readers) = (regions(job), AtomicUsize::new(0), job["readers"].as_u64().unwrap_or(1));
    let begun = Instant::now();
    let copied = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..readers)
            .map(|_| {
                scope.spawn(|| -> Result<Vec<u64>, Err> {
                    let mut per = vec![];
                    while let Some(region) = regions.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let begun = Instant::now();
                        let bytes: ArrayBytes<'static> = source.retrieve_array_subset_opt(region, &opt)?;
                        target.store_array_subset_opt(region, bytes, &opt)?;
                        per.push(begun.elapsed().as_nanos() as u64);
                    }
                    Ok(per)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Result<Vec<_>, Err>>()
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut r = summary(&mut copied.concat());
    r["ok"] = json!(true);
    r["reps"] = json!([seconds]);
    r["open_s"] = json!(open_s);
    Ok(r)
}
