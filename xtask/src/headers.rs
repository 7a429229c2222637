//! The headers with which servers send the dashboard: in `dist/`, for nginx, Caddy and hosts of static files.

use std::path::Path;

use anyhow::Result;

use crate::workspace::Workspace;

/// The content policy of the dashboard. It is not in `www/index.html`, because it would refuse trunk's reload script.
pub(crate) const DASHBOARD_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self' ws: wss: http: https:; worker-src 'self'; base-uri 'none'; form-action 'none'";

/// Hosts of static files, such as Netlify and Cloudflare Pages, read their headers from this file in the folder.
pub(crate) const STATIC: &str = "_headers";

/// What only a header can say: a `<meta>` cannot name the pages that may frame this one, and a worker has no page.
const OF_FRAMES: &str = "frame-src 'self'; frame-ancestors 'self'";

fn headers() -> [(&'static str, String); 3] {
    [
        ("Content-Security-Policy", format!("{DASHBOARD_POLICY}; {OF_FRAMES}")),
        ("Referrer-Policy", "no-referrer".to_owned()),
        ("X-Content-Type-Options", "nosniff".to_owned()),
    ]
}

/// Writes the headers into the folder of the dashboard, and those for nginx and Caddy next to it.
pub(crate) fn write(ws: &Workspace, dashboard: &Path) -> Result<()> {
    let sh = &ws.sh;
    sh.write_file(dashboard.join(STATIC), static_hosts())?;
    sh.write_file(ws.dist.join("nginx.conf"), nginx())?;
    Ok(sh.write_file(ws.dist.join("Caddyfile"), caddy())?)
}

fn static_hosts() -> String {
    let headers = headers().map(|(name, value)| format!("  {name}: {value}\n"));
    // A page is revalidated; the addresses of other files contain a hash.
    format!("/*\n{}/*.html\n  Cache-Control: no-cache\n", headers.concat())
}

/// Lines of a `location` that serves the dashboard.
fn nginx() -> String {
    let headers = headers().map(|(name, value)| format!("add_header {name} \"{value}\" always;\n"));
    format!("# Include this in the `location` of the dashboard.\n{}", headers.concat())
}

/// A snippet to import.
fn caddy() -> String {
    let headers = headers().map(|(name, value)| format!("\t\t{name} \"{value}\"\n"));
    format!(
        "# Import this file, and `import runstate` where the dashboard is served.\n(runstate) {{\n\theader {{\n{}\t}}\n}}\n",
        headers.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_server_sends_the_policy_of_the_documents() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
        let policy = &headers()[0].1;
        assert!(read("docs/deploying.md").contains(policy.as_str()), "docs/deploying.md lacks {policy}");
        for text in [static_hosts(), nginx(), caddy()] {
            assert!(text.contains(policy.as_str()) && text.contains("nosniff"), "{text}");
        }
    }

    #[test]
    fn the_server_for_development_differs_only_in_its_own_script() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let settings: toml::Table =
            std::fs::read_to_string(root.join("Trunk.toml")).unwrap().parse().unwrap();
        let sent = settings["serve"]["headers"].as_table().unwrap();
        for (name, value) in headers() {
            // The script that reloads the page after a build is inline.
            let own = value.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'");
            assert_eq!(sent[name].as_str(), Some(own.as_str()), "{name}");
        }
    }
}
