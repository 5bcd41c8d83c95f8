import type * as real from "vscode";

export class Disposable implements real.Disposable {
  static from(...all: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }

  constructor(private callOnDispose: (() => unknown) | undefined) {}

  dispose(): unknown {
    const call = this.callOnDispose;
    this.callOnDispose = undefined;
    return call?.();
  }
}

/** Tells listeners in the order in which they came. One that throws fails the test, once all others were told. */
export class EventEmitter<T> implements real.EventEmitter<T> {
  private listeners: ((value: T) => unknown)[] = [];
  private isDisposed = false;

  readonly event: real.Event<T> = (listener, thisArg, disposables) => {
    const bound = (value: T): unknown => listener.call(thisArg, value) as unknown;
    if (!this.isDisposed) this.listeners = [...this.listeners, bound];
    const subscription = new Disposable(() => {
      this.listeners = this.listeners.filter((one) => one !== bound);
    });
    disposables?.push(subscription);
    return subscription;
  };

  fire(value: T): void {
    for (const listener of this.listeners) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners = [];
  }
}

export class CancellationError extends Error {
  constructor() {
    super("Canceled");
    this.name = "Canceled";
  }
}

export class CancellationTokenSource implements real.CancellationTokenSource {
  private readonly cancelled = new EventEmitter<unknown>();
  private isCancelled = false;
  readonly token: real.CancellationToken;

  constructor() {
    const isCancelled = () => this.isCancelled;
    const { event } = this.cancelled;
    this.token = {
      get isCancellationRequested() {
        return isCancelled();
      },
      onCancellationRequested: (listener, thisArg, disposables) => {
        if (!isCancelled()) return event(listener, thisArg, disposables);
        // Whoever asks too late is told at once.
        setTimeout(() => {
          listener.call(thisArg, undefined);
        }, 0);
        return new Disposable(undefined);
      },
    };
  }

  cancel(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.cancelled.fire(undefined);
  }

  dispose(): void {
    this.cancelled.dispose();
  }
}
