import type { Context } from '../../command.js';

export async function run({ shell }: { shell: string }, { output }: Context) {
  output.text(SCRIPTS[shell] ?? '');
}

/** The completion script of each shell. All call `tokenctl __complete` with the words typed. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# tokenctl completion for bash
_tokenctl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":file" ]; then
      compopt -o default 2>/dev/null
      continue
    fi
    line="\${line%%$'\\t'*}"
    [ -n "$line" ] && COMPREPLY+=("$(printf '%q' "$line")")
  done < <(tokenctl __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$cur" 2>/dev/null)
  case "\${COMPREPLY[0]}" in
    */) [ "\${#COMPREPLY[@]}" -eq 1 ] && compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _tokenctl tokenctl
`,
  zsh: `#compdef tokenctl
# tokenctl completion for zsh
_tokenctl() {
  local line value
  local -a candidates
  while IFS= read -r line; do
    if [[ "$line" == ":file" ]]; then
      _files
      continue
    fi
    value="\${line%%$'\\t'*}"
    value="\${value//:/\\\\:}"
    if [[ "$line" == *$'\\t'* ]]; then
      candidates+=("$value:\${line#*$'\\t'}")
    else
      candidates+=("$value")
    fi
  done < <(tokenctl __complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe 'tokenctl' candidates
}
compdef _tokenctl tokenctl
`,
  fish: `# tokenctl completion for fish
function __tokenctl_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (tokenctl __complete fish -- $words[2..] 2>/dev/null)
        if test "$line" = ":file"
            __fish_complete_path (commandline -ct)
        else
            printf '%s\\n' $line
        end
    end
end
complete -c tokenctl -f -a '(__tokenctl_complete)'
`,
  powershell: `# tokenctl completion for PowerShell
Register-ArgumentCompleter -Native -CommandName tokenctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $words += '' }
    tokenctl __complete powershell -- @words 2>$null | Where-Object { $_ -ne ':file' } | ForEach-Object {
        $value, $description = $_ -split "\`t", 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}
`,
};
