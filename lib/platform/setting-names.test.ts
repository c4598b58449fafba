import { expect, it } from "vitest";
import { unknownSettings } from "./setting-names";

const SETTINGS = [
  "PORT",
  "SIGNALBOX_WORKERS",
  "SIGNALBOX_FILTER_WORKERS",
  "SIGNALBOX_PUBLIC_URL",
  "SIGNALBOX_SMTP_URL",
];

it.each([
  ["SIGNALBOX_WROKERS", "SIGNALBOX_WORKERS"],
  ["SIGNALBOX_WORKER", "SIGNALBOX_WORKERS"],
  ["SIGNALBOX_PUBLICURL", "SIGNALBOX_PUBLIC_URL"],
  ["SIGNALBOX_FILTER_WORKRES", "SIGNALBOX_FILTER_WORKERS"],
])("an unknown setting %s is named with the nearest one, %s", (name, nearest) => {
  expect(unknownSettings([name], SETTINGS)).toEqual([
    `${name} isn't a setting and is ignored. The nearest name is ${nearest}`,
  ]);
});

it("settings, variables of scripts and those that Kubernetes sets for services are no unknown settings", () => {
  const names = ["PATH", ...SETTINGS, "SIGNALBOX_API_KEY", "SIGNALBOX_URL"];
  const ofKubernetes = [
    "SIGNALBOX_SERVICE_HOST",
    "SIGNALBOX_SERVICE_PORT",
    "SIGNALBOX_SERVICE_PORT_HTTP",
    "SIGNALBOX_PORT",
    "SIGNALBOX_PORT_3000_TCP",
    "SIGNALBOX_PORT_3000_TCP_ADDR",
    "SIGNALBOX_POSTGRES_SERVICE_HOST",
  ];
  expect(unknownSettings([...names, ...ofKubernetes], SETTINGS)).toEqual([]);
});
