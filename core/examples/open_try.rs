#![allow(missing_docs)]
use runstate::document::{File, open};
use runstate::time::Millis;
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let bytes: Vec<Vec<u8>> = names.iter().map(|n| std::fs::read(n).unwrap()).collect();
    let files: Vec<File> = names
        .iter()
        .zip(&bytes)
        .map(|(n, b)| File { name: Some(n.rsplit('/').next().unwrap()), bytes: b })
        .collect();
    let now = Millis(1_795_296_600_000.0);
    match open(&files, now) {
        Err(e) => println!("ERR {} {e} {:?} {:?}", e.code, e.position, e.hint),
        Ok(d) => {
            println!("{} rows={} refusal={:?}", d.recognised(), d.rows().len(), d.refusal());
            for r in d.rows().iter().take(5) {
                println!("   {r:?}");
            }
            if let Some(h) = d.header(None, now) {
                println!(
                    "  {} state={:?} blocked={:?} tree={:?}",
                    h.name,
                    h.state,
                    h.blocked,
                    d.tree(None).map(runstate::tree::Tree::len)
                );
                println!(
                    "  {:?}",
                    h.fields.iter().map(|f| format!("{}={:?}", f.field, f.value)).collect::<Vec<_>>()
                );
                println!(
                    "  {:?}",
                    h.evidence
                        .iter()
                        .map(|f| format!("{}={} from {}", f.name, f.value, f.read_from))
                        .collect::<Vec<_>>()
                );
            }
            for p in d.problems() {
                println!("  ! {p}");
            }
        }
    }
}
