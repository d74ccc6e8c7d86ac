//! Arrays of the asynchronous API, over object_store: S3, HTTP, files.
use crate::Err;
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::ClientOptions;
use serde_json::Value;
use std::sync::Arc;
use zarrs::array::{
    Array, ArrayBytes, ArraySubset, AsyncArrayShardedReadableExt, AsyncArrayShardedReadableExtCache, CodecOptions,
};
use zarrs::storage::AsyncReadableStorageTraits;
use zarrs_object_store::AsyncObjectStore;

pub type FarArray = Array<dyn AsyncReadableStorageTraits>;

/// Opens the array of a job. Of S3, `endpoint` is the server; keys and region come from the environment.
pub async fn open(job: &Value) -> Result<FarArray, Err> {
    let loc = job["array"].as_str().unwrap();
    let (store, path): (Arc<dyn AsyncReadableStorageTraits>, String) = if let Some(rest) = loc.strip_prefix("s3://") {
        let (bucket, key) = rest.split_once('/').ok_or("expected s3://BUCKET/KEY")?;
        let endpoint = job["endpoint"].as_str().ok_or("a job over S3 needs an endpoint")?;
        let s3 = AmazonS3Builder::from_env().with_bucket_name(bucket).with_endpoint(endpoint).with_allow_http(true).build()?;
        (Arc::new(AsyncObjectStore::new(s3)), format!("/{key}"))
    } else if loc.starts_with("http") {
        let options = ClientOptions::new().with_allow_http(true);
        (Arc::new(AsyncObjectStore::new(HttpBuilder::new().with_url(loc).with_client_options(options).build()?)), "/".into())
    } else {
        (Arc::new(AsyncObjectStore::new(LocalFileSystem::new_with_prefix(loc)?)), "/".into())
    };
    Ok(Array::async_open(store, &path).await?)
}

/// Reads a region, with the index cache if there is one.
pub async fn retrieve(
    array: &FarArray, cache: Option<&AsyncArrayShardedReadableExtCache>, region: &ArraySubset, options: &CodecOptions,
) -> Result<ArrayBytes<'static>, Err> {
    Ok(match cache {
        Some(cache) => array.async_retrieve_array_subset_sharded_opt(cache, region, options).await?,
        None => array.async_retrieve_array_subset_opt(region, options).await?,
    })
}
