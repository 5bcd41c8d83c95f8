import { EventPublisher } from "../core/conversation/eventPublisher.js";
import type { ConversationEvent } from "../core/conversation/events.js";
import { Navigator } from "../core/navigator/navigator.js";
import type { Parts } from "../core/navigator/parts.js";
import type { NavigatorWorld } from "../core/navigator/world.js";
import { createDependencies } from "./dependencies.js";

/** What works in one workspace: a Navigator, and the dependencies that jobs and runs share with it. */
export class Runtime {
  readonly dependencies: Parts;
  readonly navigator: Navigator;

  constructor(services: NavigatorWorld) {
    const { clock, ids, redactor } = services;
    const emit = (event: ConversationEvent) => {
      services.emit(event);
    };
    const publisher = new EventPublisher(clock, ids, emit, redactor);
    this.dependencies = createDependencies(services, publisher);
    this.navigator = new Navigator(this.dependencies);
  }
}
