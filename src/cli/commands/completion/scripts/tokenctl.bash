# tokenctl completion for bash
_tokenctl() {
  local cur="${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":file" ]; then
      compopt -o default 2>/dev/null
      continue
    fi
    line="${line%%$'\t'*}"
    [ -n "$line" ] && COMPREPLY+=("$(printf '%q' "$line")")
  done < <(tokenctl __complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$cur" 2>/dev/null)
  case "${COMPREPLY[0]}" in
    */) [ "${#COMPREPLY[@]}" -eq 1 ] && compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _tokenctl tokenctl
