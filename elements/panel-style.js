// The style sheet of <runstate-panel>.
import { sharedSheet } from "./element.js";

export const panelSheet = sharedSheet(`
  :host { display: block; block-size: var(--runstate-height, 24rem); min-inline-size: 0; }
  :host([view="header"]) { block-size: auto; min-block-size: 9rem; }
  :host([view="header"][frame]) { block-size: var(--runstate-height, 16rem); }
  :host([hidden]), [hidden] { display: none !important; }
  :host([theme="light"]) { color-scheme: light; }
  :host([theme="dark"]) { color-scheme: dark; }
  :host([theme="system"]) { color-scheme: light dark; }
  /* A transition of a colour that is never drawn reports a change of the colour scheme around the element. */
  .base { block-size: 100%; outline: 0 none light-dark(#000, #fff); transition: outline-color 1ms; }
  /* Styles of the page's own text do not apply inside, except for the spacing that a reader chose. */
  .root { all: initial; display: block; block-size: 100%; color-scheme: inherit; letter-spacing: inherit; word-spacing: inherit; }
  iframe { display: block; border: 0; inline-size: 100%; block-size: 100%; color-scheme: inherit; }
  .message { box-sizing: border-box; block-size: 100%; overflow: auto; padding: .75rem; }
  .message p { margin: 0 0 .5rem; font: .8125rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
  .message slot { display: block; }
  .message .title { font-weight: 600; }
  .message code { font: .75rem/1.4 ui-monospace, monospace; }
  .message button { margin: .5rem .5rem 0 0; min-block-size: 1.75rem; font: .8125rem system-ui, sans-serif; }
  @media (forced-colors: active) { :host([theme]) { color-scheme: light dark; } }
`);
