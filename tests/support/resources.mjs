// The resources of a page that a panel could leak.

/** Runs in a page before its own code: lists its workers in `window.startedWorkers`. */
export function recordWorkers() {
  window.startedWorkers = [];
  window.Worker = class extends Worker {
    constructor(...parameters) {
      super(...parameters);
      window.startedWorkers.push(this);
    }
  };
}

/** Runs in the page before its own code: counts into `window.resources`. */
function count() {
  const resources = (window.resources = {
    listeners: 0,
    timers: new Set(),
    frames: new Set(),
    workers: 0,
    observers: new Set(),
    ports: new Set(),
    memories: [],
  });
  countListeners();
  countTimers("setTimeout", "clearTimeout", resources.timers);
  countTimers("setInterval", "clearInterval", resources.timers);
  countTimers("requestAnimationFrame", "cancelAnimationFrame", resources.frames);
  countObservers();
  countPorts();
  countMemory();
  window.Worker = class extends Worker {
    constructor(...parameters) {
      super(...parameters);
      resources.workers++;
    }
    terminate() {
      resources.workers--;
      super.terminate();
    }
  };

  function countListeners() {
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const isPages = (target) => target === window || target === document || target instanceof MediaQueryList;
    EventTarget.prototype.addEventListener = function (type, ...parameters) {
      if (isPages(this) && !type.startsWith("runstate-")) resources.listeners++;
      return addEventListener.call(this, type, ...parameters);
    };
    EventTarget.prototype.removeEventListener = function (type, ...parameters) {
      if (isPages(this) && !type.startsWith("runstate-")) resources.listeners--;
      return removeEventListener.call(this, type, ...parameters);
    };
  }

  function countTimers(start, cancel, pending) {
    const [started, cancelled] = [window[start], window[cancel]];
    window[start] = (callback, ...parameters) => {
      const id = started(
        (...values) => {
          if (start !== "setInterval") pending.delete(id);
          callback(...values);
        },
        ...parameters,
      );
      pending.add(id);
      return id;
    };
    window[cancel] = (id) => {
      pending.delete(id);
      cancelled(id);
    };
  }

  function countObservers() {
    for (const name of ["IntersectionObserver", "MutationObserver", "ResizeObserver"]) {
      window[name] = class extends window[name] {
        observe(...parameters) {
          resources.observers.add(this);
          super.observe(...parameters);
        }
        disconnect() {
          resources.observers.delete(this);
          super.disconnect();
        }
      };
    }
  }

  function countPorts() {
    window.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        resources.ports.add(super.port1);
      }
    };
    const { close } = MessagePort.prototype;
    MessagePort.prototype.close = function () {
      resources.ports.delete(this);
      close.call(this);
    };
  }

  function countMemory() {
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const original = WebAssembly[name];
      WebAssembly[name] = async (...parameters) => {
        const result = await original.apply(WebAssembly, parameters);
        resources.memories.push((result.instance ?? result).exports.memory);
        return result;
      };
    }
  }
}

/** Counts in every later document of the page. */
export const countResources = (page) => page.evaluateOnNewDocument(count);

/** The present number of each resource; `memory` is the size of the page's WebAssembly memories, in bytes. */
export const resourcesOf = (page) =>
  page.evaluate(() => {
    const { memories, ...counts } = window.resources;
    const sizes = Object.entries(counts).map(([name, value]) => [name, value.size ?? value]);
    return {
      ...Object.fromEntries(sizes),
      modules: memories.length,
      memory: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
      nodes: document.querySelectorAll("*").length,
    };
  });
