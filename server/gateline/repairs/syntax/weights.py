"""What the ranking knows, in natural logarithms. Written by `python -m gateline_dev.syntax learn`."""

from __future__ import annotations

DEFAULT = 6.0
"""The price of a pattern that was not seen."""
PRIOR = """
added:-0.34  behind:1.1  distance:0.62  lines:0.73  @g assign  foreign:0.12  indentation:0.23  keywords:0.23
quotes:0.67  single:-0.85  @g body  brackets:1.1  foreign:1.2  indentation:-2.5  keywords:0.7  quotes:0.2
single:1.9  @g bracket  brackets:-1.2  foreign:0.63  headers:-1.3  indentation:0.47  keywords:0.52
single:1.5  @g character  brackets:0.48  characters:-2.1  foreign:0.47  indentation:0.63  keywords:0.34
pasted:0.15  quotes:0.59  single:1.5  @g colon  brackets:1.5  foreign:-0.57  headers:-1.9  indentation:1.7
keywords:1.2  single:2.2  @g comma  brackets:-0.18  foreign:0.73  keywords:0.33  quotes:0.9  single:-0.4
@g dedent  brackets:1.4  foreign:0.74  indentation:-2.5  keywords:0.32  quotes:0.12  single:2.2
@g dictionary  brackets:1.2  foreign:0.77  quotes:0.72  single:-1.4  @g equals  brackets:1.2  foreign:0.47
fstrings:0.33  indentation:1.2  keywords:0.74  pasted:0.1  single:-2.1  @g escape  foreign:0.21
keywords:0.11  quotes:-1  single:0.94  @g f-string  brackets:0.87  foreign:0.56  fstrings:-1.6
indentation:0.22  single:1.3  @g import  foreign:-1.4  keywords:0.11  single:1.3  @g indent  brackets:0.38
foreign:0.57  indentation:-1.8  keywords:0.2  pasted:0.13  single:1.5  @g late  brackets:0.53  foreign:0.45
indentation:0.6  keywords:0.57  order:-1.8  single:1.5  @g mismatched  brackets:-0.94  foreign:0.44
indentation:0.12  order:0.59  quotes:0.91  single:-0.23  @g number  brackets:0.83  foreign:-0.71
indentation:0.57  keywords:0.45  single:-0.13  @g order  brackets:0.1  foreign:-0.87  indentation:1.3
keywords:0.67  order:-1.3  pasted:0.53  quotes:1.3  single:0.55  @g other  brackets:1.1  characters:0.48
foreign:-0.44  fstrings:-0.6  headers:-2.9  indentation:1.4  keywords:-0.59  order:-1.7  pasted:-0.51
quotes:0.99  single:1.3  @g print  brackets:-1.3  foreign:-1.1  indentation:0.35  quotes:0.71  single:1.1
@g string  brackets:1.5  foreign:0.34  headers:0.4  indentation:0.56  keywords:0.14  quotes:-3  single:1.8
@g tabs  brackets:0.15  foreign:0.25  indentation:-1.2  keywords:0.11  pasted:0.12  quotes:0.11  single:0.97
@g triple  foreign:0.15  indentation:0.36  quotes:-1.2  single:0.98  @g try  brackets:0.24  foreign:0.26
indentation:0.74  keywords:-1.5  single:1.1  @g unclosed  brackets:-2.8  foreign:0.87  headers:-1.5
indentation:1.9  keywords:0.96  order:1  pasted:0.54  quotes:0.28  single:2.8  @g unmatched  brackets:0.19
foreign:0.39  indentation:0.13  pasted:0.25  quotes:0.18  single:-1  @m assign  : to =:0.11  delete for:0.3
delete in:0.16  delete string:0.3  escape quotes:0.31  for to in:0.36  in to =:0.2
indent as after block:0.11  indent as after line:0.12  inner quotes:0.35  insert ::0.11  keyword 1:0.23
literal as name:-1.2  outer quotes:0.38  @m body  : to ,:0.25  : to .:0.26  : to :=:0.26  : to =:0.59
brackets of def:0.1  brackets of known:0.12  close before closing bracket:0.45  close triple:0.19
delete ::0.22  delete closing bracket:0.12  delete pair:0.24  empty body:-1  end of line:0.45
indent as before line:0.18  indent as body block:-1.9  indent as body line:-0.57  indent as body run:1.1
indent as body same level:0.72  indent to far level block:0.38  indent to far level line:0.59
indent to far level run:0.95  indent to far level same level:0.67  insert ,:0.29  insert ::0.27
insert _ =:0.23  keyword 1:0.48  keyword 2:0.22  kind of both:0.2  line to comment:0.91
@m bracket  . to ,:0.29  . to ::0.25  . to _:-0.93  : to ,:0.22  : to .:0.23  : to :=:0.22  : to =:0.46
brackets of def:-1.5  close before closing bracket:0.29  delete .:0.58  delete ::0.18  delete def:0.19
delete name:0.22  delete pair:0.43  dotted definition:-1.3  end of line:0.36  indent as after block:0.23
indent as after line:0.25  insert +:0.12  insert ,:0.48  insert .:0.11  insert ::0.37  insert =:0.12
insert ==:0.11  insert and:0.11  insert as:0.12  insert else:0.11  insert for:0.11  insert if:0.11
insert import:0.11  insert in:0.16  insert or:0.11  keyword 1:0.36  keyword 2:0.18  kind of both:0.28
line to comment:0.31  @m character  = to ::0.21  = to ==:0.67  backslash to slash:-0.66  characters:0.55
characters as signs:-1.1  close before no token of Python:0.23  close triple:0.24  delete character:1.2
delete name:0.11  delete no token of Python:0.33  delete number:0.17  end of line:0.12  escape quotes:0.25
indent as after block:0.11  indent as after line:0.11  indent as before line:0.12  inner quotes:0.28
insert ::0.26  keyword 1:0.33  line to comment:0.36  outer quotes:0.22  prompts:0.15  spaced quotes:-2.1
@m colon  -> to .:0.12  ; to ::-0.16  close before ::0.18  close before closing bracket:0.65
close before name:0.18  delete ==:0.11  delete True:0.13  delete closing bracket:0.19  delete else:0.19
delete if:0.21  delete name:0.19  delete pair:0.28  else if:-0.13  else to if:0.16  end of line:0.22
foreign modifier:0.37  header colon:-1.4  indent as after block:0.12  indent as after line:0.12
indent as before block:0.16  indent as before line:0.57  indent as before run:0.12
indent as clause block:0.73  indent as clause line:0.37  indent as clause run:0.21
indent to far level block:0.17  indent to far level line:0.13  indent to far level run:0.15  insert ,:0.31
insert ::0.24  keyword 1:0.8  keyword 2:0.36  kind of both:0.21  line to comment:-0.76  operator ->:0.49
wrong header colon:-1.5  @m comma  , to .:0.63  , to ::0.65  , to =:0.65  , to as:0.64  , to in:0.62
: to ,:0.59  : to .:0.62  : to :=:0.62  : to =:1.2  = to ,:0.24  = to ::0.61  = to :=:0.26  = to ==:1.6
brackets of other:0.36  call with list:-2  close before ,:0.45  close before ::1.4
close before closing bracket:0.44  close before name:0.51  close before number:0.86
close before string:0.45  delete ,:0.69  delete ::0.53  delete =:0.21  delete closing bracket:0.27
delete name:0.41  delete number:1  delete opening bracket:0.6  delete pair:0.96  delete string:0.55
escape quotes:0.31  every = to ,:0.19  inner quotes:0.43  insert +:0.47  insert ,:-2.6  insert .:0.73
insert ::-1.1  insert =:0.58  insert ==:0.57  insert and:0.77  insert as:0.46  insert else:0.7
insert for:0.68  insert if:0.52  insert import:0.44  insert in:0.73  insert or:0.51  keyword 1:0.33
kind of both:0.33  line to comment:0.73  literal as name:1.5  outer quotes:0.43  @m dedent  = to ::0.18
= to ==:0.65  close before closing bracket:0.83  delete .:0.21  delete closing bracket:0.25
delete doubled:0.39  delete name:0.14  delete opening bracket:0.11  delete or:0.11  delete pair:0.52
indent as after block:0.42  indent as after line:0.16  indent as after run:0.48  indent as before block:0.77
indent as before line:-0.99  indent as before run:0.73  indent as body block:0.94  indent as body line:-1.9
indent as clause block:0.7  indent as clause line:0.25  indent as clause run:0.19
indent to far level block:0.63  indent to far level line:0.91  indent to far level run:0.47
indent to level block:0.68  indent to level line:-0.87  indent to level run:0.63  insert +:0.14
insert ,:0.56  insert .:0.12  insert ::0.27  insert =:0.13  insert ==:0.13  insert and:0.13  insert as:0.13
insert else:0.13  insert for:0.13  insert if:0.14  insert import:0.14  insert in:0.19  insert or:0.13
keyword 1:0.19  keyword 2:0.15  kind of both:0.37  line to comment:0.74  or to ,:0.14
@m dictionary  , to .:0.41  : to =:0.4  = to ::-2  = to ==:0.66  close before ,:0.25  close before ::0.66
close before =:0.17  close before keyword:0.19  close before name:0.11  close before string:0.44
delete ,:0.23  escape quotes:0.41  insert ::0.24  line to comment:0.77  literal as name:0.7
outer quotes:0.46  @m equals  + to ,:0.63  + to =:0.48  , to .:0.33  , to ::0.35  , to =:0.34  , to as:0.35
, to in:0.33  - to ->:0.2  - to =:0.19  - to _:-0.1  . to ,:0.33  . to ::0.32  : to ,:0.35  : to .:0.38
: to :=:0.36  : to =:0.78  = to ,:0.45  = to ::0.94  = to :=:0.4  = to ==:-3.9  == to ::0.1  == to =:0.32
and to ,:0.12  call with list:0.23  close before ::0.2  close before closing bracket:0.14  close brace:0.14
delete %:0.34  delete +:0.17  delete ,:0.39  delete -:0.15  delete .:1.1  delete ...:0.24  delete ::0.32
delete =:0.42  delete ==:0.44  delete closing bracket:0.28  delete elif:0.78  delete if:0.71
delete name:1.2  delete number:0.57  delete opening bracket:1.1  delete pair:0.46  delete string:0.26
delete while:0.15  double brace:0.15  every = to ,:0.16  every = to ::0.17  every = to :=:0.16
every = to ==:0.16  foreign keyword:0.19  indent as before block:0.15  indent as before line:0.53
indent to far level block:0.21  indent to far level line:0.18  insert +:0.43  insert ,:1.2  insert .:0.55
insert ::1.2  insert =:0.44  insert ==:0.37  insert and:0.42  insert as:0.42  insert else:0.6
insert for:0.39  insert if:0.41  insert import:0.57  insert in:0.75  insert or:0.61  keyword 1:0.58
keyword 2:0.1  kind of both:0.38  line to comment:0.44  literal as name:-1.8  open brace:0.1  prompts:0.1
| to or:0.29  @m escape  = to ::0.25  = to ==:0.72  delete string:0.15  escape backslashes:-0.87
keyword 2:0.11  line to comment:0.21  raw string:-0.61  @m f-string  close before closing bracket:0.55
close before string:0.19  close brace:-1.3  close brace at end:-0.89  delete brace:-0.43
delete closing bracket:0.21  delete pair:0.19  delete string:0.36  double brace:0.89
indent as before line:0.19  insert ,:0.35  insert ::0.1  insert in:0.11  kind of both:0.13
line to comment:0.56  open brace:-0.48  prefix to none:1.2  @m import  , to .:0.39  , to ::0.42  , to =:0.4
, to as:0.42  , to in:0.4  delete ,:-0.43  delete name:0.19  end of line:-1.6  insert ::0.38  keyword 1:0.16
line to comment:0.94  @m indent  = to ==:0.33  close before closing bracket:0.13  comment mark:0.11
delete doubled:0.4  end comment:0.11  indent as after block:0.11  indent as before line:-2.2
indent to far level line:0.26  indent to level line:1.5  insert +:0.15  insert ,:0.57  insert .:0.14
insert ::0.23  insert =:0.11  insert ==:0.2  insert and:0.21  insert as:0.21  insert else:0.17
insert for:0.15  insert if:0.15  insert import:0.2  insert in:0.15  insert or:0.17  keyword 2:0.12
line to comment:0.4  prompts:0.13  @m late  * to ,:0.22  = to ::0.19  = to ==:0.64  close before =:0.12
close before closing bracket:0.11  close before name:0.12  delete *:-0.11  delete global:0.18
delete name:0.13  delete nonlocal:0.19  foreign modifier:0.12  indent to far level line:0.14
indent to level line:0.42  insert ::0.23  keyword 1:0.48  late declaration:-1  line to comment:0.45
repeated argument:-0.78  repeated argument first:-0.78  starred target:-0.59  @m mismatched  , to .:0.12
, to ::0.15  , to =:0.13  , to as:0.18  , to in:0.16  = to ::0.12  = to ==:0.42  argument order:0.59
call with list:0.92  close at end:1.5  close before ,:0.32  close before ::0.54
close before closing bracket:-1.3  close before name:0.2  close before number:0.51
close before opening bracket:0.14  close before string:0.19  closing kind:-0.94  delete ,:0.21
delete closing bracket:0.64  delete doubled:-2.3  delete name:0.13  delete number:0.2
delete opening bracket:0.1  delete pair:0.5  delete unopened:1  escape quotes:0.48  inner quotes:0.67
insert +:0.15  insert ,:0.7  insert ::0.32  insert =:0.1  insert ==:0.15  insert and:0.1  insert as:0.16
insert for:0.14  insert if:0.11  insert in:0.15  insert or:0.15  kind of both:0.32  line to comment:0.44
open:1.2  opening kind:0.45  outer quotes:0.33  @m number  , to .:0.14  : to =:0.19  = to ,:0.79  = to ::1.5
= to :=:0.81  = to ==:2.5  close before ,:0.11  close before closing bracket:0.27  close before number:0.11
delete ,:0.11  delete =:0.74  delete closing bracket:0.1  delete def:0.42  delete name:0.34
delete number:0.98  delete opening bracket:0.13  delete pair:0.28  end of line:0.15  imaginary unit:-1.6
indent as after block:0.28  indent as after line:0.29  insert +:0.21  insert ,:0.8  insert .:0.19
insert ::0.87  insert =:0.2  insert ==:0.2  insert and:0.21  insert as:0.2  insert else:0.2  insert for:0.21
insert if:0.19  insert import:0.19  insert in:0.28  insert or:0.19  keyword 1:0.45  kind of both:0.19
leading zeros:-1.6  line to comment:1.4  name starts with digits:-0.54  number suffix:-2  octal:0.33
product:0.14  @m order  * to ,:0.43  + to ,:0.13  + to =:0.12  , to .:0.6  , to ::0.64  , to =:0.61
, to as:0.52  , to in:0.61  / to ,:0.15  : to ,:0.14  : to .:0.16  : to :=:0.17  : to =:-1.5  = to ,:0.21
= to ::0.6  = to :=:0.22  = to ==:1.4  argument order:-1.3  brackets of other:0.49  close before ,:0.7
close before .:0.19  close before ::1.6  close before =:0.15  close before closing bracket:1.1
close before for:0.12  close before in:0.12  close before name:0.95  close before number:0.12
close before opening bracket:0.68  close before operator:0.6  close triple:0.4  delete *:-1.6  delete ,:0.67
delete .:0.29  delete /:-2  delete ::0.41  delete =:0.2  delete closing bracket:0.35  delete def:0.16
delete doubled:1.4  delete except:0.28  delete lambda:0.46  delete name:0.84  delete opening bracket:0.74
delete pair:-2.1  end of line:0.48  escape quotes:0.51  except comma name:-1.2  except tuple:-1
generator brackets:-1.4  indent as before block:0.14  indent as before line:0.74  indent as clause block:0.6
indent as clause line:0.25  indent to far level block:0.13  inner quotes:0.66  insert +:0.42  insert ,:1.3
insert .:0.37  insert ::1.1  insert =:0.4  insert ==:0.39  insert and:0.41  insert as:0.4  insert else:0.39
insert for:0.41  insert if:0.39  insert import:0.4  insert in:0.54  insert or:0.38  join names:0.39
keyword 1:0.61  kind of both:1.4  line to comment:1.6  missing default:1.3  missing keyword:1.3
outer quotes:0.64  prompts:0.53  @m other  * to ,:0.79  + to ,:-1.4  + to =:-1.3  , to .:0.93  , to ::0.92
, to =:0.95  , to as:1  , to in:1  - to ->:0.24  - to =:0.51  - to _:0.27  . to ,:0.69  . to ::1
. to _:-0.76  / to ,:0.77  : to ,:1.1  : to .:0.93  : to :=:0.84  : to =:-0.11  := to ::0.38  := to =:-0.22
:= to ==:0.38  ; to ,:-0.47  ; to ::1.2  = to ,:1.1  = to ::-0.3  = to :=:1.1  = to ==:-0.19  == to ::0.72
== to =:0.49  > to .:0.59  and to ,:0.4  argument order:1.9  backticks:-1.3  brace for colon:0.97
brackets of known:-1  brackets of other:1.4  call with list:1.4  close at end:2.5  close at end of line:0.2
close before +=:-1.6  close before ,:1  close before ->:-1.8  close before .:0.98  close before ::0.42
close before =:0.87  close before closing bracket:1.2  close before if:0.16  close before in:-1.9
close before keyword:0.65  close before name:1.1  close before no token of Python:0.19
close before number:0.89  close before opening bracket:0.58  close before operator:0.94
close before string:0.98  close brace:1  close triple:0.95  close triple on first line:0.26
colon at line end:0.31  comment mark:0.91  comment marks:-1.1  condition before:-1.1  condition behind:-1.4
delete *:0.75  delete +:0.54  delete +=:0.43  delete ,:0.67  delete -:0.43  delete ->:0.25  delete .:-1.4
delete ...:0.53  delete /:-0.45  delete //:-0.61  delete ::0.76  delete :=:0.3  delete ;:0.92  delete <:0.42
delete <<:0.2  delete =:0.69  delete ==:-1.5  delete >:0.49  delete >>:0.94  delete False:0.17
delete True:0.2  delete and:-0.27  delete brace:0.54  delete character:0.48  delete closing bracket:0.65
delete def:0.21  delete doubled:-0.53  delete elif:0.28  delete else:0.43  delete for:0.26  delete from:0.76
delete if:0.24  delete import:0.47  delete in:0.38  delete is:0.54  delete name:1.3
delete no token of Python:0.27  delete number:0.8  delete opening bracket:0.79  delete pair:1.5
delete pass:0.4  delete return:0.25  delete string:0.61  double brace:0.64  doubled header colon:-2
else if:-1.6  else to if:0.67  end comment:1.7  end of line:1.2  escape quotes:1.8  every ; to ,:-1.6
every ; to ::0.56  every = to ::0.1  every = to :=:0.18  every = to ==:0.18  fences:1.3  for to in:0.35
foreign keyword:-0.39  foreign modifier:-0.16  from to import:0.87  from to in:0.87  glued def:-1.5
glued keyword:0.28  header colon:1.8  import all:0.89  import ends with comma:0.26  import from:-1.8
import list:-1.4  in to =:0.45  indent as after block:0.74  indent as after line:0.78
indent as after run:0.5  indent as before block:0.44  indent as before line:1.7  indent as before run:0.53
indent as before same level:0.15  indent as clause block:-2.3  indent as clause line:-0.22
indent as clause run:0.3  indent to far level block:0.54  indent to far level line:1.1
indent to far level run:0.91  indent to far level same level:0.12  indent to level block:0.44
indent to level line:0.96  indent to level run:0.74  inner quotes:-0.72  insert +:1.2  insert ,:-0.4
insert .:1.3  insert ::1.8  insert =:1.3  insert ==:1.4  insert _ =:0.45  insert and:1.2  insert as:1.3
insert def:0.56  insert else:1.3  insert for:1.2  insert if:1.4  insert import:1.4  insert in:-0.25
insert not:0.49  insert or:1.4  is to ==:0.64  join names:-0.4  join operators:-2.4  keyword 1:0.12
keyword 2:1.8  keyword as name:-1.5  kind of both:1.2  line to comment:0.52  literal as name:0.3
merge both:0.46  merge ours:0.46  merge theirs:-1.6  missing def:0.49  missing else:-1.5  open brace:0.88
operator !:-1.4  operator ->:0.72  operator :::0.35  operator :=:-1.1  operator ===:-1.8  outer quotes:2
prefix to b:0.55  prefix to f:-1.5  prefix to none:0.28  prompts:0.13  quoted by backticks:0.61
reversed operator:-2.1  some word to class:0.58  some word to def:0.58  some word to elif:0.34
some word to else:0.23  some word to except:1.3  some word to finally:1.2  some word to for:0.58
some word to if:0.58  some word to while:-1.3  some word to with:0.58  tuple in comprehension:-1.9
whole comment:1.3  wrong header colon:-1.6  @m print  brackets of known:-1.5  delete name:0.12
delete pair:0.16  escape quotes:0.3  indent as before line:0.2  indent to far level line:0.13
inner quotes:0.36  insert ,:0.28  insert ::0.1  insert _ =:0.15  insert if:0.12  insert import:0.11
insert in:0.1  join names:0.23  kind of both:0.12  line to comment:0.37  outer quotes:0.33
print statement:-1.3  @m string  = to ::0.11  = to ==:0.41  brackets of known:0.17  close at end:0.7
close before ::0.36  close before broken string:0.33  close one at end:0.15  close string at line end:-0.89
close string before ):0.97  close string before ]:0.76  close string before other:2.2
close string before trailing:-0.22  close triple:-2.1  close triple on first line:-2.3  delete .:0.1
delete broken string:0.21  delete quote:-0.44  double quote:1.5  escape backslash:-1.5  escape quotes:0.3
header colon:0.37  indent as before line:0.19  indent to far level line:0.15  inner quotes:1.7  insert ,:0.4
insert ::0.11  keyword 1:0.12  line to comment:0.33  open string:1.2  open string inside:0.98
open triple:1.8  other quote:0.48  outer quotes:-0.26  @m tabs  all tabs:-0.52  indent as before line:-0.22
indent to far level line:0.25  indent to level line:0.48  insert ,:0.26  insert .:0.11  insert for:0.12
insert if:0.11  line to comment:0.23  prompts:0.12  tabs:-1.4  @m triple  = to ::0.15  = to ==:0.53
close triple on first line:-0.61  delete broken string:0.21  escape quotes:0.28  indent as before line:0.28
line to comment:0.14  outer quotes:0.42  @m try  brackets of other:0.24  indent as before block:0.16
indent as before line:0.61  insert _ =:0.26  insert def:0.21  insert if:0.13  insert import:0.13
insert not:0.21  join names:0.14  keyword 1:-1.1  line to comment:0.2  some word to class:0.67
some word to def:0.67  some word to elif:0.78  some word to else:0.73  some word to except:-1.1
some word to finally:-1.1  some word to for:0.67  some word to if:0.67  some word to while:1.5
some word to with:0.67  @m unclosed  + to ,:0.11  + to =:0.11  , to ::0.1  - to _:0.11  = to ,:0.11
= to ::0.29  = to :=:0.12  = to ==:0.88  angle brackets:0.84  brace for colon:-1.6  brackets of other:0.84
call with list:1.5  close at comma:-0.39  close at end:-2.2  close at end of line:1.2  close before ,:0.93
close before ::-2.9  close before =:0.37  close before closing bracket:-0.78  close before for:0.91
close before in:1.7  close before name:1.9  close before number:1.2  close before opening bracket:1.3
close before operator:1  close before string:0.18  close triple:0.24  colon at line end:0.5  delete =:0.1
delete name:0.17  delete opening bracket:0.32  delete pair:1.9  delete return:0.18  fences:0.17
foreign modifier:0.2  generator brackets:1  glued keyword:0.23  header colon:0.17
indent as after block:0.13  indent as after line:0.14  indent as after run:0.12  indent as before line:0.75
indent to far level line:0.15  indent to far level run:0.14  indent to far level same level:0.15
indent to level line:0.24  indent to level run:0.16  indent to level same level:0.19  insert +:0.27
insert ,:1  insert .:0.26  insert ::0.46  insert =:0.34  insert ==:0.3  insert and:0.26  insert as:0.31
insert else:0.28  insert for:0.31  insert if:0.28  insert import:0.29  insert in:0.35  insert or:0.28
keyword 1:0.61  keyword 2:0.11  kind of both:1.5  line to comment:0.81  prompts:0.4
@m unmatched  , to .:0.16  , to ::0.15  , to =:0.15  , to as:0.17  , to in:0.16  : to ,:0.1  : to .:0.11
: to :=:0.11  : to =:0.26  close before ,:0.11  close before closing bracket:0.56  close triple:0.17
delete ,:0.16  delete closing bracket:-0.19  delete doubled:-2.3  delete name:0.12  delete pair:0.11
delete unopened:-0.74  fences:0.12  insert ,:0.38  insert ::0.24  insert in:0.1  line to comment:0.34
prompts:0.14  @p  * to ,:1.2  + to ,:-1  + to =:-1  , to .:1.3  , to ::1.2  , to =:1.2  , to as:1.2
, to in:1.3  - to ->:0.51  - to =:0.7  - to _:0.28  -> to .:0.13  . to ,:0.97  . to ::1.1  . to _:-1.3
/ to ,:0.88  : to ,:1  : to .:0.92  : to :=:0.91  : to =:-0.3  := to ::0.38  := to =:-0.22  := to ==:0.38
; to ,:-0.43  ; to ::0.9  = to ,:0.95  = to ::-0.23  = to :=:0.93  = to ==:-1.8  == to ::0.79  == to =:0.74
> to .:0.62  all tabs:-0.52  and to ,:0.45  angle brackets:0.84  argument order:0.14
backslash to slash:-0.66  backticks:-1.3  brace for colon:-1.4  brackets of def:-1.4  brackets of known:-1.6
brackets of other:1.5  call with list:-0.52  characters:0.55  characters as signs:-1.1  close at comma:-0.39
close at end:-1.3  close at end of line:1.3  close before +=:-1.6  close before ,:1.4  close before ->:-1.8
close before .:1.1  close before ::-1.3  close before =:1.2  close before broken string:0.33
close before for:0.97  close before if:0.18  close before in:-1.5  close before keyword:0.81
close before name:1.4  close before no token of Python:0.4  close before number:1.8
close before opening bracket:1.4  close before operator:1.6  close before string:1.5  close brace:-0.74
close brace at end:-0.89  close one at end:0.18  close string at line end:-0.89  close string before ):0.97
close string before ]:0.76  close string before other:2.2  close string before trailing:-0.22
close triple:-1  close triple on first line:-2  closing kind:-0.94  colon at line end:0.79
comment mark:0.96  comment marks:-1.1  condition before:-1.1  condition behind:-1.4  delete %:0.42
delete *:-1.3  delete +:0.69  delete +=:0.47  delete ,:0.97  delete -:0.57  delete ->:0.34  delete .:-0.87
delete ...:0.72  delete /:-2.1  delete //:-0.61  delete ::0.86  delete :=:0.3  delete ;:0.92  delete <:0.41
delete <<:0.2  delete =:0.78  delete ==:-1.1  delete >:0.5  delete >>:0.94  delete False:0.17
delete None:0.18  delete True:0.3  delete and:-0.25  delete brace:0.16  delete broken string:0.36
delete character:1.4  delete closing bracket:0.73  delete def:0.6  delete doubled:-2.4  delete elif:0.98
delete else:0.58  delete except:0.28  delete for:0.55  delete from:0.78  delete global:0.18  delete if:0.68
delete import:0.52  delete in:0.49  delete is:0.54  delete lambda:0.45  delete name:0.89
delete no token of Python:0.52  delete nonlocal:0.19  delete not:0.11  delete number:1.3
delete opening bracket:0.96  delete or:0.11  delete pass:0.58  delete quote:-0.44  delete raise:0.12
delete return:0.42  delete string:1.2  delete unopened:0.31  delete while:0.18  dotted definition:-1.3
double brace:1.3  double quote:1.5  doubled header colon:-2  else if:-0.82  else to if:0.79  empty body:-1
end comment:1.8  end of line:0.59  escape backslash:-1.5  escape backslashes:-0.87  escape quotes:2.3
every ; to ,:-1.6  every ; to ::0.56  every = to ,:0.45  every = to ::0.3  every = to :=:0.36
every = to ==:0.37  except comma name:-1.2  except tuple:-1  fences:1.4  for to in:0.68
foreign keyword:-0.15  foreign modifier:0.12  from to import:0.88  from to in:0.89  generator brackets:-0.76
glued def:-1.5  glued keyword:0.49  header colon:-0.53  imaginary unit:-1.6  import all:0.89
import ends with comma:0.17  import from:-1.8  import list:-1.4  in to =:0.59  indent as after block:0.69
indent as after line:0.65  indent as after run:0.67  indent as before block:0.81
indent as before line:-0.73  indent as before run:0.7  indent as before same level:0.22
indent as body block:-1.7  indent as body line:-1.6  indent as body run:1.1  indent as body same level:0.72
indent as clause block:-1.7  indent as clause line:0.34  indent as clause run:0.65
indent to far level block:0.96  indent to far level line:1.2  indent to far level run:1.1
indent to far level same level:0.79  indent to level block:0.83  indent to level line:0.32
indent to level run:0.91  indent to level same level:0.3  inner quotes:0.49  insert +:0.85  insert ,:-0.83
insert .:0.98  insert ::1.1  insert =:0.89  insert ==:0.9  insert _ =:0.82  insert and:0.9  insert as:0.9
insert def:0.78  insert else:0.92  insert for:0.89  insert if:0.91  insert import:0.93  insert in:0.59
insert not:0.75  insert or:0.97  is to ==:0.65  join operators:-2.4  keyword 1:0.9  keyword 2:1.4
keyword as name:-1.5  kind of both:1.6  late declaration:-1  leading zeros:-1.6  line to comment:1.6
literal as name:-1.7  merge both:0.46  merge ours:0.46  merge theirs:-1.6  missing def:0.49
missing default:1.3  missing else:-1.5  missing keyword:1.3  name starts with digits:-0.54  number suffix:-2
octal:0.33  open:1.1  open brace:0.47  open string:1.2  open string inside:0.98  open triple:1.6
opening kind:0.45  operator !:-1.4  operator ->:1.1  operator :::0.35  operator :=:-1.1  operator ===:-1.8
or to ,:0.18  other quote:0.48  outer quotes:1.7  prefix to b:0.55  prefix to f:-1.5  prefix to none:1.4
print statement:-1.3  product:0.14  prompts:0.61  quoted by backticks:0.61  raw string:-0.61
repeated argument:-0.78  repeated argument first:-0.78  reversed operator:-2.1  some word to class:1.1
some word to def:1.1  some word to elif:0.91  some word to else:0.92  some word to except:-0.77
some word to finally:-0.65  some word to for:1.1  some word to if:1.1  some word to while:-0.91
some word to with:1.1  spaced quotes:-2.1  starred target:-0.59  tabs:-1.4  tuple in comprehension:-1.9
whole comment:1.3  wrong header colon:-2.4  | to or:0.29
"""
"""Of a change before it is tried: `name:weight`, two blanks apart."""
POSTERIOR = """
blank at edge:0.34  code at edge:0.19  joined strings:0.54  lines:0.82  odd string:0.2  pair:0.19  price:1.3
quote inside:1.6  steps:3.6  undefined:0.92  useless:1
"""
"""Of what it leaves behind."""
