// The style sheet of <runstate-panel>.
import { sharedSheet } from "./element.js";

export const panelSheet = sharedSheet(`
  :host { display: block; block-size: var(--runstate-height, 384px); min-inline-size: 0; }
  :host([view="header" i]) { block-size: auto; min-block-size: 144px; }
  :host([view="header" i][frame]) { block-size: var(--runstate-height, 256px); }
  :host([hidden]), [hidden] { display: none !important; }
  :host([theme="light" i]) { color-scheme: light; }
  :host([theme="dark" i]) { color-scheme: dark; }
  :host([theme="system" i]) { color-scheme: light dark; }
  /* A transition of a colour that is never drawn reports a change of the colour scheme around the element. */
  .base { block-size: 100%; outline: 0 none light-dark(#000, #fff); transition: outline-color 1ms; }
  /* Styles of the page's own text do not apply inside, except for the spacing that a reader chose. */
  .root { all: initial; display: block; block-size: 100%; color-scheme: inherit; letter-spacing: inherit; word-spacing: inherit; }
  iframe { display: block; border: 0; inline-size: 100%; block-size: 100%; color-scheme: inherit; }
  /* The keyword is a size relative to the reader's text size; the content of the page keeps its own. */
  .message { box-sizing: border-box; block-size: 100%; overflow: auto; padding: 12px; }
  .message p { margin: 0 0 .6em; font: small/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
  .message slot { display: block; }
  .message .title { font-weight: 600; }
  .message code { font: .92em/1.4 ui-monospace, monospace; }
  .message button { margin: .6em .6em 0 0; min-block-size: 2.15em; font: small system-ui, sans-serif; }
  @media (forced-colors: active) { :host([theme]) { color-scheme: light dark; } }
`);
