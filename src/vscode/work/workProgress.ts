import * as vscode from "vscode";

/** Long work whose progress a notification shows. */
export interface ShownWork {
  readonly title: string;
  /** Fires when there may be other progress to show. */
  readonly onDidChange: vscode.Event<unknown>;
  /** Shows how far the work is now. */
  show(progress: vscode.Progress<{ message?: string; increment?: number }>): void;
  /** Called when the user cancels it. */
  cancel(): void;
}

/** Shows the work's progress in a notification while `body` runs. */
export async function withWorkProgress<R>(work: ShownWork, body: () => Promise<R>): Promise<R> {
  const options: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: work.title,
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const show = (): void => {
      work.show(progress);
    };
    const subscription = vscode.Disposable.from(
      work.onDidChange(show),
      token.onCancellationRequested(() => {
        work.cancel();
      }),
    );
    show();
    try {
      return await body();
    } finally {
      subscription.dispose();
    }
  });
}
