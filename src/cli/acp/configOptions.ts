import type { SessionConfigOption } from "@agentclientprotocol/sdk";
import { type ApprovalPreset, approvalPresets } from "../../core/approvals/approvalRules.js";
import { everyProfile } from "../../core/models/askedModel.js";
import type { ModelChoice } from "../../core/models/modelProfile.js";
import { translatable } from "../../core/text/translator.js";
import { t } from "../language/language.js";
import { requestModes } from "./requestModes.js";

/** The value that stands for no profile: no name of one is likely to be it, and clients may drop an empty value. */
const noProfile = "(none)";

const presets: Readonly<Record<ApprovalPreset, string>> = {
  ask: translatable("Ask"),
  safe: translatable("Safe"),
  sandbox: translatable("Sandbox"),
  all: translatable("All"),
};

/** The present choices of a session. */
export interface Chosen {
  readonly mode: string;
  readonly models: ModelChoice;
  readonly preset: ApprovalPreset;
}

/** Returns what a client can choose from, in the order in which it is to be shown. */
export function configOptions({ mode, models, preset }: Chosen): SessionConfigOption[] {
  const profiles = everyProfile(models).filter(
    ({ profile, asked }) => asked.model !== "" || profile === models.profile,
  );
  return [
    {
      id: "mode",
      name: t("Mode"),
      category: "mode",
      type: "select",
      currentValue: mode,
      options: requestModes.map(({ id, name, description }) => {
        return { value: id, name: t(name), description: t(description) };
      }),
    },
    {
      id: "model",
      name: t("Model"),
      category: "model",
      type: "select",
      currentValue: models.profile || noProfile,
      options: profiles.map(({ profile, asked }) => {
        const name = profile === "" ? asked.model : `${profile} (${asked.model})`;
        return { value: profile || noProfile, name };
      }),
    },
    {
      id: "approvals",
      name: t("Approvals"),
      category: "_approvals",
      type: "select",
      currentValue: preset,
      options: approvalPresets.map((value) => ({ value, name: t(presets[value]) })),
    },
  ];
}

/** Returns the name of the profile that a value stands for; `undefined` if there is no such value. */
export function profileOf(value: string, models: ModelChoice): string | undefined {
  const found = everyProfile(models).find(({ profile }) => (profile || noProfile) === value);
  return found?.profile;
}
