import type { NextStep } from "../conversation/events.js";
import type { ModelErrorCode } from "../errors.js";

/** Returns the steps that the user can take about a model that did not answer. */
export function modelSteps(code: ModelErrorCode): NextStep[] {
  switch (code) {
    case "unauthorised":
      return [{ type: "command", label: "Set API Key…", command: "setApiKey" }];
    case "unconfigured":
    case "notFound":
    case "contextTooLong":
    case "toolsUnsupported":
      return [{ type: "command", label: "Select Model…", command: "selectModel" }];
    case "unreachable":
    case "badRequest":
      return [{ type: "command", label: "Open Settings", command: "openSettings" }];
    case "rateLimited":
    case "server":
    case "brokenResponse":
      return [];
  }
}
