import "@vscode-elements/elements/dist/vscode-button/index.js";
import "./panel.css";
import "./panel.js";

document.body.append(document.createElement("rooroo-panel"));
