//! zarrs_peer PATH OUT [SELECTION]: reads the array in folder PATH (or a box of it, `0:4,2:9`) with the zarrs
//! crate and writes its values to OUT by the contract of docs/conformance.md.

use std::{env, fs, path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use zarrs::array::{Array, ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;

fn parse_box(text: &str) -> Result<ArraySubset> {
    let ranges = text
        .split(',')
        .map(|item| {
            let (start, stop) = item.split_once(':').context("SELECTION is start:stop,start:stop")?;
            Ok(start.parse::<u64>()?..stop.parse::<u64>()?)
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(ArraySubset::new_with_ranges(&ranges))
}

fn is_text(folder: &str) -> Result<bool> {
    let document: Value = serde_json::from_slice(&fs::read(Path::new(folder).join("zarr.json"))?)?;
    Ok(document["data_type"] == "string" || document["data_type"]["name"] == "string")
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (folder, out) = match arguments.as_slice() {
        [folder, out] | [folder, out, _] => (folder, out),
        _ => bail!("usage: zarrs_peer PATH OUT [SELECTION]"),
    };
    let array = Array::open(Arc::new(FilesystemStore::new(folder)?), "/")?;
    let subset = match arguments.get(2) {
        Some(text) => parse_box(text)?,
        None => array.subset_all(),
    };
    let values: ArrayBytes = array.retrieve_array_subset(&subset)?;
    match values {
        ArrayBytes::Fixed(bytes) => fs::write(out, &bytes[..])?,
        ArrayBytes::Variable(variable) => {
            let text = is_text(folder)?;
            let items = variable
                .offsets()
                .windows(2)
                .map(|w| &variable.bytes()[w[0]..w[1]])
                .map(|b| if text { Ok(std::str::from_utf8(b)?.to_owned()) } else { Ok(STANDARD.encode(b)) })
                .collect::<Result<Vec<String>>>()?;
            let encoding = if text { "utf8" } else { "base64" };
            fs::write(out, json!({"encoding": encoding, "shape": subset.shape(), "values": items}).to_string())?
        }
        _ => bail!("optional data type"),
    }
    Ok(())
}
