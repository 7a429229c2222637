use runstate::gateway::{ClientEffect, ClientInput, ClientOptions, OpenFailure, Token};
use runstate::time::Millis;
use runstate::viewer::GatewaySource;
use serde_json::Value;

/// The life of a connection, one input per line:
///
/// - `< frame` arrives; `= method payload` answers our last request of that method, `! method error` refuses it;
/// - `+ ms` advances the time, including fractions, and fires the timer; `t` fires the timer at the requested time;
/// - `o` opens the socket, `x code` closes it, `n` reports no answer, `p` a refusal by the page's policy;
/// - `w` wakes the page, `r` reconnects, `v id` watches a run, `l` lists the runs, `a token` authorises, `s` stops.
pub fn feed(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut connection = Connection::new();
    for line in text.lines() {
        let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
        connection.happens(what, rest);
    }
}

struct Connection {
    source: GatewaySource,
    now: f64,
    /// When the source wants to be called again.
    wake_at: Option<Millis>,
    asked: Vec<Value>,
}

impl Connection {
    fn new() -> Self {
        let mut options = ClientOptions::new("ws://localhost/", 7);
        options.token = Some(Token::new("secret"));
        options.run_id = Some("run-a".into());
        let source = GatewaySource::connect(options, Millis(0.0));
        Self { source, now: 0.0, wake_at: None, asked: Vec::new() }
    }

    fn happens(&mut self, what: &str, rest: &str) {
        match what {
            "<" => self.input(ClientInput::Text(rest)),
            "=" => self.answer(rest, r#","ok":true,"payload":"#),
            "!" => self.answer(rest, r#","ok":false,"error":"#),
            "+" => {
                let milliseconds: f64 = rest.parse().unwrap_or_default();
                // At most a day: at larger values adding a millisecond has no effect.
                self.now += if (0.0..=86_400_000.0).contains(&milliseconds) { milliseconds } else { 0.0 };
                self.input(ClientInput::Timer);
            }
            "t" => self.wake(),
            "o" => self.input(ClientInput::Opened),
            "x" => self.input(ClientInput::Closed { code: rest.parse().unwrap_or(1006), reason: rest }),
            "n" => self.input(ClientInput::OpenFailed(OpenFailure::NoAnswer)),
            "p" => self.input(ClientInput::OpenFailed(OpenFailure::ContentPolicy)),
            "w" => self.input(ClientInput::Visible(true)),
            "r" => self.input(ClientInput::ReconnectNow),
            "v" => self.input(ClientInput::Watch(rest)),
            "l" => self.input(ClientInput::List),
            "a" => self.input(ClientInput::Authorise(Some(Token::new(rest)))),
            "s" => self.input(ClientInput::Stop),
            _ => {}
        }
    }

    /// Fires the timer at the requested time, and asserts that the client does not request the same time forever.
    fn wake(&mut self) {
        let Some(wake) = self.wake_at else { return };
        self.now = self.now.max(wake.0);
        for _ in 0..16 {
            self.input(ClientInput::Timer);
            if self.wake_at.is_none_or(|next| next.0 > self.now) {
                return;
            }
        }
        panic!("woken at {}, the source wants to be woken at {:?}", self.now, self.wake_at);
    }

    fn answer(&mut self, rest: &str, how: &str) {
        let (method, payload) = rest.split_once(' ').unwrap_or((rest, "null"));
        let Some(place) = self.asked.iter().rposition(|asked| asked["method"] == method) else { return };
        let id = self.asked.swap_remove(place)["id"].take();
        self.input(ClientInput::Text(&format!(r#"{{"type":"res","id":{id}{how}{payload}}}"#)));
    }

    fn input(&mut self, input: ClientInput<'_>) {
        let (effects, wake_at) = self.source.handle(Some(input), Millis(self.now));
        self.wake_at = wake_at;
        for effect in effects {
            match effect {
                ClientEffect::Open { .. } | ClientEffect::Close => self.asked.clear(),
                ClientEffect::Send(frame) => self.sent(&frame),
            }
        }
        if let Some(wake) = self.wake_at {
            assert!(wake.0.is_finite(), "a timer at no time");
        }
    }

    /// Only the connecting frame may contain the token.
    fn sent(&mut self, frame: &str) {
        let frame: Value = serde_json::from_str(frame).expect("what the feed sends is JSON");
        assert!(frame["method"] == "connect" || !frame.to_string().contains("\"secret\""));
        self.asked.push(frame);
    }
}
