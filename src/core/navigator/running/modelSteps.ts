import type { DraftedStep } from "../../conversation/events/eventPublisher.js";
import type { ModelErrorCode } from "../../errors.js";
import { words } from "../../text/words.js";

/** Returns the steps that the user can take about a model that did not answer. */
export function modelSteps(code: ModelErrorCode): DraftedStep[] {
  switch (code) {
    case "unauthorised":
      return [{ type: "command", label: words("Set API Key…"), command: "setApiKey" }];
    case "unconfigured":
    case "notFound":
    case "contextTooLong":
    case "toolsUnsupported":
      return [{ type: "command", label: words("Select Model…"), command: "selectModel" }];
    case "unreachable":
    case "badRequest":
      return [{ type: "command", label: words("Open Settings"), command: "openSettings" }];
    case "rateLimited":
    case "server":
    case "brokenResponse":
      return [];
  }
}
