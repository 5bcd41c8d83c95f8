// The least that an extension with a panel can be: what Rooroo costs is compared with it.
const { window } = require("vscode");

exports.activate = () => {
  window.registerWebviewViewProvider("benchEmpty.page", {
    resolveWebviewView: ({ webview }) => void (webview.html = "<p>Nothing more than this.</p>"),
  });
};
