import { compiled } from "./compiled.mjs";
import { servicesAt } from "./servicesAt.mjs";

/**
 * Makes what jobs and runs need in a folder; see {@link servicesAt}.
 *
 * @param {string} root
 * @param {object} model
 * @param {object} [options]
 * @param {"safe" | "all"} [options.preset] the approval preset
 * @param {object} [options.charts] what draws charts
 * @param {(event: any) => void} [options.emit]
 */
export async function worldAt(root, model, { emit = () => {}, ...options } = {}) {
  const [{ createDependencies }, { EventPublisher }] = await Promise.all(
    ["runtime/dependencies", "core/conversation/events/eventPublisher"].map(compiled),
  );
  const services = await servicesAt(root, model, options);
  const publisher = new EventPublisher(services.clock, services.ids, emit);
  const { experts } = createDependencies(services, publisher);
  return { files: services.files, lock: services.lock, experts, publisher };
}
