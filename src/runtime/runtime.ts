import { EventPublisher } from "../core/conversation/events/eventPublisher.js";
import { Navigator } from "../core/navigator/navigator.js";
import type { NavigatorDependencies } from "../core/navigator/navigatorDependencies.js";
import type { NavigatorServices } from "../core/navigator/navigatorServices.js";
import { createDependencies } from "./dependencies.js";

/** The objects at work in one workspace: a Navigator, and the dependencies that jobs and runs share with it. */
export class Runtime {
  readonly dependencies: NavigatorDependencies;
  readonly navigator: Navigator;

  constructor(services: NavigatorServices) {
    const { clock, ids, redactor } = services;
    const publisher = new EventPublisher(clock, ids, services.emit, redactor);
    this.dependencies = createDependencies(services, publisher);
    this.navigator = new Navigator(this.dependencies);
  }
}
