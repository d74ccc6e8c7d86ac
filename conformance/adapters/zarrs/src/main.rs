//! The zarrs crate as a tool of the conformance suite: JSON lines on standard input and output (docs/conformance.md).

use std::{fs, io, path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use zarrs::array::{Array, ArrayBytes, ArrayMetadataOptions, ArraySubset};
use zarrs::filesystem::FilesystemStore;

fn selection(question: &Value, all: ArraySubset) -> Result<ArraySubset> {
    let Some(ranges) = question["selection"].as_array() else { return Ok(all) };
    let ranges = ranges
        .iter()
        .map(|r| Ok(r[0].as_u64().context("start")?..r[1].as_u64().context("stop")?))
        .collect::<Result<Vec<_>>>()?;
    Ok(ArraySubset::new_with_ranges(&ranges))
}

fn is_text(folder: &str) -> Result<bool> {
    let document: Value = serde_json::from_slice(&fs::read(Path::new(folder).join("zarr.json"))?)?;
    Ok(document["data_type"] == "string" || document["data_type"]["name"] == "string")
}

fn read(question: &Value) -> Result<()> {
    let folder = question["path"].as_str().context("path")?;
    let out = question["out"].as_str().context("out")?;
    let array = Array::open(Arc::new(FilesystemStore::new(folder)?), "/")?;
    let subset = selection(question, array.subset_all())?;
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

fn write(question: &Value) -> Result<()> {
    let store = Arc::new(FilesystemStore::new(question["out"].as_str().context("out")?)?);
    let values = fs::read(question["values"].as_str().context("values")?)?;
    let array = match &question["metadata"] {
        Value::Null => Array::open(store, "/")?,
        metadata => {
            let array = Array::new_with_metadata(store, "/", serde_json::from_value(metadata.clone())?)?;
            array.store_metadata_opt(&ArrayMetadataOptions::default().with_include_zarrs_metadata(false))?;
            array
        }
    };
    let subset = selection(question, array.subset_all())?;
    Ok(array.store_array_subset(&subset, ArrayBytes::new_flen(values))?)
}

fn main() -> Result<()> {
    println!("{}", json!({"protocol": 1, "tool": "zarrs", "version": zarrs::version::version_str()}));
    for line in io::stdin().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let done = if question["do"] == "write" { write(&question) } else { read(&question) };
        let answer = match done {
            Ok(()) => json!({"id": question["id"], "out": question["out"]}),
            Err(e) => json!({"id": question["id"], "error": {"kind": "other", "message": format!("{e:#}")}}),
        };
        println!("{answer}");
    }
    Ok(())
}
