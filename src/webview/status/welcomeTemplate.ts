import { html, nothing, svg, type TemplateResult } from "lit";
import type { HostCommand } from "../../core/conversation/events/events.js";
import type { PanelStatus, SandboxOffer } from "../../protocol/messages.js";
import { rich, t } from "../text/words.js";

export interface WelcomeActions {
  /** Puts an example into the input, to be changed or sent. */
  readonly compose: (text: string) => void;
  readonly openFolder: () => void;
  readonly command: (command: HostCommand) => void;
}

const examples: readonly (readonly [icon: string, label: string, text: string])[] = [
  [
    "search",
    t("Explain this project"),
    t("/ask How is this project built, and where does it start?"),
  ],
  ["beaker", t("Find and fix failing tests"), t("Run the tests and fix what fails.")],
  ["list-tree", t("Plan a larger change"), "/plan "],
  ["lightbulb", t("Brainstorm an idea"), "/brainstorm "],
];

/** The logo, as in `media/rooroo.svg`: a compass with a kangaroo's ears. */
const mark = svg`<path fill="currentColor" fill-rule="evenodd" d="M7.6 1.2c1.9 1 3.1 2.9 3.3 5.2a8.6 8.6 0 0 1 2.2 0c.2-2.3 1.4-4.2 3.3-5.2.9 2.1.8 4.2 0 6.1a8.4 8.4 0 1 1-8.8 0c-.8-1.9-.9-4 0-6.1ZM12 7.7a6.9 6.9 0 1 0 0 13.8 6.9 6.9 0 0 0 0-13.8Zm3.9 3-2.3 5.5-5.5 2.3 2.3-5.5 5.5-2.3Zm-3.9 2.9a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z"/>`;

/** Renders what an empty conversation shows: what the extension does, and the next step to take. */
export function welcomeTemplate(
  status: PanelStatus,
  offer: SandboxOffer | null,
  actions: WelcomeActions,
): TemplateResult {
  return html`
    <div class="welcome">
      <svg class="welcome-mark" viewBox="0 0 24 24" aria-hidden="true">${mark}</svg>
      <h2>${t("What should we work on?")}</h2>
      <p>
        ${t("Describe a task. Rooroo plans it, edits files and runs commands, and asks before it changes anything.")}
      </p>
      ${nextStep(status, actions)}
      ${status.workspace === "open" && offer !== null ? sandboxOffer(offer, actions) : nothing}
    </div>
  `;
}

function nextStep(status: PanelStatus, actions: WelcomeActions): TemplateResult {
  if (status.workspace === "none") {
    return html`
      <p class="welcome-note">${t("Rooroo works in a folder. Open one to begin.")}</p>
      <vscode-button @click=${actions.openFolder}>${t("Open Folder")}</vscode-button>
    `;
  }
  return html`
    ${
      status.workspace === "untrusted"
        ? html`<p class="welcome-note">
              <span class="codicon codicon-shield" aria-hidden="true"></span>
              ${t("This folder is in Restricted Mode. Nothing is changed or run here until you trust it.")}
            </p>
            <vscode-button secondary @click=${actions.openFolder}
              >${t("Manage Trust")}</vscode-button
            >`
        : nothing
    }
    ${status.model.ready ? nothing : modelNeeded(status.model, actions)}
    <div class="examples" role="group" aria-label=${t("Examples")}>
      ${examples.map(
        ([icon, label, text]) =>
          html`<button
            type="button"
            class="example"
            @click=${() => {
              actions.compose(text);
            }}
          >
            <span class="codicon codicon-${icon}" aria-hidden="true"></span>
            <span>${label}</span>
          </button>`,
      )}
    </div>
    <p class="welcome-note">
      ${rich(
        "New to Rooroo? {0}.",
        html`<button
          type="button"
          class="link-button"
          @click=${() => {
            actions.command("openWalkthrough");
          }}
        >
          ${t("Open the walkthrough")}
        </button>`,
      )}
    </p>
  `;
}

/** Renders the sandbox offer; one click turns the sandbox on for all workspaces of this machine. */
function sandboxOffer(offer: SandboxOffer, { command }: WelcomeActions): TemplateResult {
  if ("reason" in offer) {
    return html`<p class="welcome-note welcome-sandbox">
      <span class="codicon codicon-info" aria-hidden="true"></span>
      ${t("You are asked about each command that does more than read. {0}", offer.reason)}
    </p>`;
  }
  return html`
    <p class="welcome-note welcome-sandbox">
      <span class="codicon codicon-shield" aria-hidden="true"></span>
      ${t("Recommended: let experts run commands in a sandbox without asking you. In the sandbox, commands have no network access, cannot read secrets, and can change only this project's files, which you can review and undo as always.")}
    </p>
    <vscode-button
      secondary
      @click=${() => {
        command("useSandbox");
      }}
      >${t("Use the Sandbox")}</vscode-button
    >
  `;
}

/** Renders buttons to choose a model and to set its key; the step to begin with stands out. */
function modelNeeded(
  { name, profile }: PanelStatus["model"],
  { command }: WelcomeActions,
): TemplateResult {
  const choose = ["selectModel", t("Select Model…")] as const;
  const key = ["setApiKey", t("Set API Key…")] as const;
  const missing =
    profile === undefined
      ? t("Select a model first.")
      : t("There is no model profile “{0}”.", profile);
  const [words, ...steps] =
    name === ""
      ? ([missing, choose, key] as const)
      : ([t("{0} needs an API key first.", name), key, choose] as const);
  return html`
    <p class="welcome-note">${words}</p>
    <div class="welcome-buttons">
      ${steps.map(
        ([step, label], index) =>
          html`<vscode-button
            ?secondary=${index > 0}
            @click=${() => {
              command(step);
            }}
            >${label}</vscode-button
          >`,
      )}
    </div>
  `;
}
