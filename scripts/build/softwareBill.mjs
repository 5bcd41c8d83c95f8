import { npm } from "../process/npm.mjs";
import { root } from "../root.mjs";

/**
 * Returns the software bill of materials (CycloneDX 1.5) of what ships: `npm sbom` of what is installed, without what is only
 * developed with. Throws an error that names each package that npm does not know.
 *
 * @param {readonly import("./notices.mjs").ShippedPackage[]} packages of which files ship
 */
export async function softwareBill(packages) {
  const bill = JSON.parse(await npm(["sbom", "--sbom-format", "cyclonedx"], { cwd: root }));
  const product = bill.metadata.component;
  // npm names it for the folder in which it lies.
  product.name = product["bom-ref"].replace(/@[^@]*$/, "");
  product.type = "application";

  const shipped = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const refs = new Set([product["bom-ref"]]);
  bill.components = bill.components.filter((/** @type {any} */ component) => {
    // That it is a dependency for development only, and where it is from: the one is not so, the other no part of it.
    delete component.properties;
    delete component.externalReferences;
    const isShipped = shipped.delete(`${component.name}@${component.version}`);
    if (isShipped) refs.add(component["bom-ref"]);
    return isShipped;
  });
  if (shipped.size > 0) throw new Error(`npm does not know what ships: ${[...shipped].join(", ")}`);
  bill.dependencies = bill.dependencies
    .filter((/** @type {any} */ { ref }) => refs.has(ref))
    .map((/** @type {any} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((/** @type {string} */ one) => refs.has(one)),
    }));
  return bill;
}
