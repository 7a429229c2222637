// Vue 3 sets properties of custom elements. With templates, also say `isCustomElement: (tag) => tag.startsWith("runstate-")`.
import { createApp, defineComponent, h, shallowRef } from "vue";
import type { RunstateChange } from "runstate/elements";
import "runstate/elements/define";

const Release = defineComponent(() => {
  const run = shallowRef<object>();
  const change = shallowRef<RunstateChange>();
  fetch("/run.json").then(async (response) => (run.value = await response.json()));
  return () => [
    h("h1", "Release"),
    h("p", [
      "Now: ",
      h("runstate-pill", { state: change.value?.state }, "not known yet"),
      " ",
      h("span", { id: "reason" }, change.value?.reason),
    ]),
    h(
      "runstate-panel",
      {
        // The folder `elements/panel` of the npm package, copied to the application's server.
        assets: "/runstate/panel",
        view: "header",
        label: "Run of the release",
        content: run.value,
        "onRunstate-change": ({ detail }: CustomEvent<RunstateChange>) => (change.value = detail),
      },
      ["The panel loads. ", h("a", { href: "/runs" }, "All runs")],
    ),
  ];
});

createApp(Release).mount("#app");
