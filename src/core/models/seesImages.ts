/** Names of models of which it is known that they see images, and of those that do not, as servers write them. */
const seeing =
  /gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-4\.5|gpt-5|chatgpt-4o|(^|\/)o[134]($|-)(?!.*mini-2024)|claude-(3|opus|sonnet|haiku|[4-9])|gemini|gemma-?3(?!.*(1b|270m))|pixtral|llava|bakllava|moondream|minicpm-v|internvl|[-_.]vl\b|-vl-|qwen.*vl|qwen3\.5|llama-?4|llama-?3\.2.*vision|vision|mistral-(small-(3\.[1-9]|2503|2506)|medium-3)|grok-(4|vision|2-vision)|phi-?(3\.5-vision|4-multimodal)|glm-4\.\d+v|kimi-(vl|k2\.5)|step-1v|nova-(lite|pro|premier)/i;
const blind =
  /gpt-3\.5|gpt-oss|o1-mini|o1-preview|o3-mini|deepseek-(chat|coder|reasoner|v\d|r1)|codellama|starcoder|codestral|devstral|(^|\/)qwen(2\.5|3)?-?coder|mixtral|(^|\/)phi-?[34](-mini|$)|kimi-k2(?!\.5)|glm-4\.\d+($|-air|-flash)/i;

/**
 * Returns whether a model sees images.
 *
 * @param name the server's name for the model
 * @param choice the user's own setting, which decides
 */
export function seesImages(name: string, choice: "auto" | "on" | "off"): boolean | undefined {
  if (choice !== "auto") return choice === "on";
  if (blind.test(name)) return false;
  return seeing.test(name) ? true : undefined;
}
