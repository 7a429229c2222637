// What the checked files use but do not define.

/** The glue that wasm-bindgen writes for the panel. */
declare module "*/runstate-panel.js";

/** The glue that wasm-bindgen writes for the module of the collector. */
declare module "*/runstate-traffic.js";

/** The extension interfaces of both browsers. */
declare var chrome: any;

// Functions that boot.js and page.js define for the panel's module.
declare var runstateWorker: () => Worker;
declare var runstatePage: () => Promise<string>;
declare var runstateTraffic: any;

// What the scripts of the extension share.
declare var runstateSettings: { get(name: string): string | null; set(name: string, value: string): void };
declare var runstateTheme: any;
